import * as assert from 'uvu/assert';
import type { Client } from '../api/client.js';
import { presage } from '../cli/presage.js';
import type { Json } from '../json.js';
import { expected, type World } from './world.js';

// What the stories about credits share.

/** Thousandths of a credit of an amount as an answer shows it: decimal text with at most three places. */
export function milli(amount: unknown): number {
  assert.type(amount, 'string', JSON.stringify(amount));
  assert.match(amount as string, /^-?\d+(\.\d{1,3})?$/);
  return Math.round(Number(amount) * 1_000);
}

export type Money = { readonly credits: number; readonly held: number; readonly available: number };
/** The balance in thousandths of a credit. */
export async function balance(api: Client): Promise<Money> {
  const { data } = expected(await api.get<Json>('/v1/billing/balance'));
  return { credits: milli(data.credits), held: milli(data.held), available: milli(data.available) };
}

/** All entries of the ledger, oldest first. */
export async function ledger(api: Client, query = ''): Promise<Json[]> {
  const entries: Json[] = [];
  for (let page = 1; ; page++) {
    const { data } = expected(await api.get<Json>(`/v1/billing/ledger?page=${page}&per_page=100${query}`));
    entries.push(...data.entries);
    if (page >= data.total_pages) break;
  }
  const [newest, oldest] = [entries[0], entries.at(-1)];
  return newest && newest.at > oldest.at ? entries.reverse() : entries;
}

/** Entries of the ledger about one piece of work. */
export const entriesOf = async (api: Client, id: string): Promise<Json[]> =>
  (await ledger(api)).filter(entry => entry.reference?.id === id);

const KINDS = ['grant', 'charge', 'hold', 'release', 'refund', 'adjustment'];
/** The ledger adds up to the balance, entry by entry. */
export async function addsUp(api: Client): Promise<void> {
  const [entries, now] = [await ledger(api), await balance(api)];
  const sum = (rows: Json[]) => rows.reduce((total, entry) => total + milli(entry.amount), 0);
  for (const entry of entries) assert.ok(KINDS.includes(entry.kind), entry.kind);
  const holding = (entry: Json) => ['hold', 'release'].includes(entry.kind);
  assert.is(sum(entries), now.available, 'the available credits are the sum of all entries');
  assert.is(sum(entries.filter(entry => !holding(entry))), now.credits, 'without holds it is the credits');
  assert.is(-sum(entries.filter(holding)), now.held, 'and what holds and releases leave is held');
  let running = 0;
  for (const entry of entries) {
    running += milli(entry.amount);
    assert.is(milli(entry.balance_after), running, JSON.stringify(entry));
    assert.ok(running >= 0, 'never below nothing');
  }
}

export const organizationOf = async (api: Client): Promise<string> =>
  expected(await api.get<Json>('/v1/user/me')).data.memberships[0].organization_id;

/** Runs a command of the operator with the platform stopped, and goes on with it started again. */
export async function operator(world: World, ...args: string[]): Promise<void> {
  await world.restart(async () => {
    const done = await presage(args, { DATA_DIR: world.folder, LOG_LEVEL: 'silent' });
    if (done.code !== 0) throw new Error(`presage ${args.join(' ')}: ${done.stdout}${done.stderr}`);
  });
}
