import { networksOf } from '../../adapters/outgoing/addresses.js';
import { outgoing } from '../../adapters/outgoing/client.js';
import type { Connector, PolledPage } from '../../commands/ingestion/connectors.js';
import type { Cursor } from '../../domain/ingestion/polls/execution-facts.js';

export type Polled = {
  readonly pages: readonly PolledPage[];
  readonly items: readonly unknown[];
  /** Of the last page that named one. */
  readonly cursor: Cursor;
};
export type Over = { readonly cursor?: Cursor; readonly pagesRead?: number; readonly signal?: AbortSignal };

/** The client that may ask this machine. */
export const asksHere = () =>
  outgoing({ allowed: networksOf('127.0.0.1,::1'), resolve: async () => ['127.0.0.1'] });

/** The list, or the one under `items`. */
const itemsOf = (body: unknown): readonly unknown[] =>
  Array.isArray(body) ? body : (body as { readonly items: readonly unknown[] }).items;

/** Reads all that a connector gives, as one run does. */
export async function polled(
  connector: Connector,
  config: Readonly<Record<string, unknown>>,
  { cursor = null, pagesRead = 0, signal = new AbortController().signal }: Over = {},
): Promise<Polled> {
  const pages: PolledPage[] = [];
  for await (const page of connector.pages({ config, cursor, pagesRead, itemsOf, signal })) pages.push(page);
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
