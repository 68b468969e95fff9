import * as assert from 'uvu/assert';
import { networksOf } from '../../adapters/outgoing/addresses.js';
import { outgoing } from '../../adapters/outgoing/client.js';
import type { Connector, PolledPage } from '../../commands/ingestion/connectors.js';
import type { Cursor } from '../../domain/ingestion/polls/execution-facts.js';
import { ingestionApi, type IngestionApi } from '../api/ingestion-world.js';
import type { Json } from '../json.js';
import { until } from '../platform.js';

export type ReadPage = Omit<PolledPage, 'parts'> & { readonly items: readonly unknown[] };
export type Polled = {
  readonly pages: readonly ReadPage[];
  readonly items: readonly unknown[];
  /** Of the last page that named one. */
  readonly cursor: Cursor;
};
export type Over = { readonly cursor?: Cursor; readonly pagesRead?: number; readonly signal?: AbortSignal };

/** The client that may ask this machine. */
export const asksHere = () =>
  outgoing({ allowed: networksOf('127.0.0.1,::1'), resolve: async () => ['127.0.0.1'] });

/** Reads all that a connector gives, as one run does. */
export async function polled(
  connector: Connector,
  config: Readonly<Record<string, unknown>>,
  { cursor = null, pagesRead = 0, signal = new AbortController().signal }: Over = {},
): Promise<Polled> {
  const pages: ReadPage[] = [];
  // Pages that go on from a cursor name it beside their list
  const itemsPath = 'cursor_path' in config ? 'items' : null;
  for await (const { parts, ...page } of connector.pages({ config, cursor, pagesRead, itemsPath, signal })) {
    const items: unknown[] = [];
    for await (const part of parts) items.push(...part);
    pages.push({ ...page, items });
  }
  const last = pages.map(page => page.cursor).filter(each => each !== null);
  return { pages, items: pages.flatMap(({ items }) => items), cursor: last.at(-1) ?? cursor };
}

/** The code of what was thrown, and its message. */
export async function failure(work: Promise<unknown>): Promise<string> {
  try {
    await work;
  } catch (error) {
    const { code, reason, message } = error as { code?: string; reason?: string; message: string };
    return `${reason ?? code}: ${message}`;
  }
  return 'nothing failed';
}

const OVER = ['succeeded', 'partial', 'retrying', 'failed', 'cancelled'];

/** A platform that may ask this machine, and a source of its own there. */
export async function polledPlatform(made: object) {
  const world: IngestionApi = await ingestionApi({ env: { OUTGOING_ALLOW: '127.0.0.1' } });
  const answer = await world.client.post<Json>('/v1/ingestion/sources', made);
  assert.is(answer.status, 201, answer.text);
  const { source_id: source, job_ids } = answer.body.data;
  const executions = `/v1/ingestion/executions?job_id=${job_ids[0]}`;
  return {
    world,
    path: `/v1/ingestion/sources/${source}`,
    /** The run of a number (from 1), once it is over or waits to be tried again. */
    run: (number: number): Promise<Json> =>
      until(async () => {
        const { executions: all } = await world.read(executions);
        return all.length >= number && OVER.includes(all[0].status) && all[0];
      }, `run ${number}`),
    async again(): Promise<void> {
      const { status, text } = await world.client.post(`/v1/ingestion/jobs/${job_ids[0]}/run`);
      assert.is(status, 202, text);
    },
  };
}
