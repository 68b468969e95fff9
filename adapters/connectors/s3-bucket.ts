import aws4 from 'aws4';
import { XMLParser } from 'fast-xml-parser';
import { PollFailed } from '../../commands/ingestion/connectors.js';
import type { Outgoing } from '../../commands/ports/outgoing.js';
import { SECOND } from '../../domain/time.js';

export type BucketConfig = {
  readonly bucket: string;
  /** Of another than Amazon's: `https://host`. */
  readonly endpoint?: string;
  readonly region?: string;
  /** The bucket stands in the path and not in the name of the host. */
  readonly path_style?: boolean;
  readonly access_key_id?: string;
  readonly secret_access_key?: string;
  readonly timeout_seconds?: number;
};
export type Listed = { readonly key: string; readonly etag: string; readonly size: number };
export type Bucket = ReturnType<typeof bucketOf>;

const TIMEOUT_SECONDS = 20;
const KEYS_A_LIST = 1_000;
const MAX_LIST_BYTES = 8 * 1_024 * 1_024;
/** Objects are read in ranges of so many bytes, so that memory stays flat. */
const RANGE = 4 * 1_024 * 1_024;
const NEVER = new AbortController().signal;

/** A bucket, as any server gives it that speaks S3: signed where there are keys, else as anybody asks. */
export function bucketOf(
  outgoing: Pick<Outgoing, 'send'>,
  config: BucketConfig,
  signal: AbortSignal = NEVER,
) {
  const { region = 'us-east-1', timeout_seconds: seconds = TIMEOUT_SECONDS } = config;
  const { origin, path } = placeOf(config, region);

  const get = async (target: string, headers: Record<string, string>, maxBytes: number) => {
    const asked = { 'user-agent': 'Presage', ...headers };
    const { status, body } = await outgoing.send({
      ...{ method: 'GET', url: origin + target, signal, maxBytes, withinMs: seconds * SECOND },
      headers: signed(config, { region, origin, target, headers: asked }),
    });
    return { status, body };
  };
  const listed = async (query: Record<string, string>) => {
    const search = new URLSearchParams({ 'encoding-type': 'url', 'list-type': '2', ...query });
    // Signatures are of %20, never of +
    const target = `${path || '/'}?${search.toString().replace(/\+/g, '%20')}`;
    const { status, body } = await get(target, {}, MAX_LIST_BYTES);
    if (status !== 200) throw new PollFailed('http_status', `The list of the bucket answered ${status}`);
    return listOf(body.toString());
  };

  return {
    url: origin,
    /** Objects under a prefix, in the order of their keys, behind one of them. */
    async *list(prefix: string, behind: string | null): AsyncIterable<Listed> {
      const query = { prefix, 'max-keys': String(KEYS_A_LIST) };
      let last = behind;
      for (;;) {
        const from: Record<string, string> = last === null ? {} : { 'start-after': last };
        const { objects, goesOn } = await listed({ ...query, ...from });
        yield* objects.filter(({ size }) => size > 0);
        if (!goesOn || objects.length === 0) return;
        last = objects.at(-1)!.key;
      }
    },
    /** One object as it is now; null: it is gone. */
    async find(key: string): Promise<Listed | null> {
      const { objects } = await listed({ prefix: key, 'max-keys': '1' });
      return objects.find(object => object.key === key) ?? null;
    },
    /** The bytes of an object as it was listed; `took` hears how many came. @throws PollFailed */
    async *read({ key, etag, size }: Listed, took: (bytes: number) => void): AsyncIterable<Buffer> {
      const target = `${path}/${encodedKey(key)}`;
      for (let from = 0; from < size; ) {
        const to = Math.min(from + RANGE, size) - 1;
        const headers = { range: `bytes=${from}-${to}`, 'if-match': `"${etag}"` };
        const { status, body } = await get(target, headers, RANGE);
        if (status === 404 || status === 412)
          throw new PollFailed('object_changed', `${key} was changed while it was read`);
        const isWhole = status === 200 && from === 0 && body.length === size;
        if (status !== 206 && !isWhole) throw new PollFailed('http_status', `${key} answered ${status}`);
        if (body.length !== to - from + 1)
          throw new PollFailed('invalid_data', `${key} came with ${body.length} bytes of ${to - from + 1}`);
        took(body.length);
        yield body;
        from = to + 1;
      }
    },
  };
}

function placeOf({ endpoint, bucket, path_style: given }: BucketConfig, region: string) {
  const { protocol, host, pathname } = new URL(endpoint ?? `https://s3.${region}.amazonaws.com`);
  const base = pathname.replace(/\/$/, '');
  const isPath = given ?? endpoint !== undefined;
  return isPath
    ? { origin: `${protocol}//${host}`, path: `${base}/${bucket}` }
    : { origin: `${protocol}//${bucket}.${host}`, path: base };
}

type Signing = {
  readonly region: string;
  readonly origin: string;
  readonly target: string;
  readonly headers: Record<string, string>;
};

function signed(config: BucketConfig, { region, origin, target, headers }: Signing): Record<string, string> {
  const { access_key_id: accessKeyId, secret_access_key: secretAccessKey } = config;
  if (accessKeyId === undefined || secretAccessKey === undefined) return headers;
  const { host } = new URL(origin);
  const request = { service: 's3', region, host, path: target, method: 'GET', headers: { ...headers } };
  const made = aws4.sign(request, { accessKeyId, secretAccessKey }).headers;
  return Object.fromEntries(
    Object.entries(made ?? {}).map(([name, value]) => [name.toLowerCase(), String(value)]),
  );
}

/** As S3 wants keys in paths: all but letters, digits, `-._~` and `/` in percent. */
const encodedKey = (key: string): string =>
  encodeURIComponent(key)
    .replace(/[!'()*]/g, each => `%${each.charCodeAt(0).toString(16).toUpperCase()}`)
    .replace(/%2F/g, '/');

const parser = new XMLParser({
  ...{ parseTagValue: false, trimValues: false, htmlEntities: true },
  isArray: name => name === 'Contents',
});

type Contents = { readonly Key: string; readonly ETag: string; readonly Size: string };
type Parsed = {
  readonly ListBucketResult:
    | {
        readonly EncodingType?: string;
        readonly IsTruncated?: string;
        readonly Contents?: readonly Contents[];
      }
    | '';
};

/** @throws PollFailed for what is no list */
function listOf(text: string): { readonly objects: readonly Listed[]; readonly goesOn: boolean } {
  try {
    const { ListBucketResult: result } = parser.parse(text) as Parsed;
    // An empty element is an empty text
    const { Contents = [], IsTruncated, EncodingType } = typeof result === 'string' ? {} : result;
    const keyOf = EncodingType === 'url' ? decoded : (key: string) => key;
    const objects = Contents.map(({ Key, ETag, Size }) => ({
      key: keyOf(Key),
      etag: ETag.replace(/"/g, ''),
      size: Number(Size),
    }));
    return { objects, goesOn: IsTruncated === 'true' };
  } catch (cause) {
    throw new PollFailed('invalid_data', 'The list of the bucket is not one of S3', { cause });
  }
}

const decoded = (key: string): string => decodeURIComponent(key.replace(/\+/g, ' '));
