import {
  partsOf,
  PollFailed,
  type Connector,
  type PolledPage,
  type Polling,
} from '../../commands/ingestion/connectors.js';
import type { Cursor } from '../../domain/ingestion/polls/execution-facts.js';
import type { Outgoing } from '../../commands/ports/outgoing.js';
import { bucketOf, type Bucket, type BucketConfig, type Listed } from './s3-bucket.js';
import { recordsOf, type TextFormat } from './text-parts.js';

type Config = BucketConfig & { readonly prefix?: string; readonly format?: TextFormat };
/** The last object that was begun, and how many of its records were taken; null: all of them. */
type Place = { readonly key: string; readonly etag: string; readonly records: number | null };

const RECORDS_A_PAGE = 1_000;
/** Records of so much text make a page, too; more or less, since pieces are read ahead. */
const BYTES_A_PAGE = 1_048_576;
/** Of one run; the next goes on behind. */
const MOST_PAGES = 1_000;

/** Reads csv or ndjson from the objects under a prefix, in the order of their keys, each once as it is. */
export function s3(outgoing: Pick<Outgoing, 'send' | 'refusal'>): Connector {
  return {
    pages: polling => pages(bucketOf(outgoing, polling.config as Config, polling.signal), polling),
    async refusal(config) {
      const message = await outgoing.refusal(bucketOf(outgoing, config as Config).url);
      return message === null ? null : { field: 'endpoint', message };
    },
  };
}

async function* pages(bucket: Bucket, polling: Polling): AsyncIterable<PolledPage> {
  const { prefix = '', format = 'ndjson' } = polling.config as Config;
  const begun = polling.cursor as Place | null;
  let left = MOST_PAGES - polling.pagesRead;
  for await (const { object, skip } of objects(bucket, prefix, begun))
    for await (const page of pagesOf(bucket, format, object, skip)) {
      yield { ...page, isLast: false };
      if (--left <= 0) return;
    }
}

/** What is to be read: the object that was begun, where it is not done or has changed; then those behind. */
async function* objects(bucket: Bucket, prefix: string, begun: Place | null) {
  if (begun) {
    const now = await bucket.find(begun.key);
    const isSame = now?.etag === begun.etag;
    if (now && !(isSame && begun.records === null))
      yield { object: now, skip: isSame ? (begun.records ?? 0) : 0 };
  }
  for await (const object of bucket.list(prefix, begun?.key ?? null)) yield { object, skip: 0 };
}

async function* pagesOf(bucket: Bucket, format: TextFormat, object: Listed, skip: number) {
  const { key, etag } = object;
  const cursorAt = (records: number | null): Cursor => ({ key, etag, records }) satisfies Place;
  let [records, bytes, told, begun] = [0, 0, 0, 0];
  let items: unknown[] = [];
  const read = bucket.read(object, count => {
    bytes += count;
  });
  const page = (cursor: Cursor) => {
    const full = { parts: partsOf(items), cursor, bytes: bytes - told };
    told = bytes;
    items = [];
    begun = 0;
    return full;
  };
  try {
    const took = (count: number): void => {
      begun += count;
    };
    for await (const record of recordsOf(format, read, took)) {
      if (++records <= skip) continue;
      items.push(record);
      if (items.length === RECORDS_A_PAGE || begun >= BYTES_A_PAGE) yield page(cursorAt(records));
    }
  } catch (error) {
    throw error instanceof PollFailed ? new PollFailed(error.code, `${key}: ${error.message}`) : error;
  }
  yield page(cursorAt(null));
}
