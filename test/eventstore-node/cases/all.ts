// All cases by name, and how one is run against an address.
import { EventStoreDBClient } from '@eventstore/db-client';
import { randomUUID } from 'node:crypto';
import { appendCases } from './append.js';
import { contentCases } from './content.js';
import { deleteCases } from './delete.js';
import { filterCases } from './filter.js';
import { metadataCases } from './metadata.js';
import { readCases } from './read.js';
import { retryCases } from './retry.js';
import { subscribeCases } from './subscribe.js';
import { sleep, within, type Cases, type Client } from './tools.js';

const THEMES: Record<string, Cases> = {
  append: appendCases,
  retry: retryCases,
  content: contentCases,
  delete: deleteCases,
  metadata: metadataCases,
  read: readCases,
  subscribe: subscribeCases,
  filter: filterCases,
};
const CASE_SECONDS = 60;

/** `theme/name` -> case. */
export const cases: Cases = Object.fromEntries(
  Object.entries(THEMES).flatMap(([theme, list]) =>
    Object.entries(list).map(([name, run]) => [`${theme}/${name}`, run]),
  ),
);

/** Runs a case: plain JSON, stream names as S-01, S-02, ... in the order of their making, bigints as "1n". */
export const runCase = async (address: string, name: string): Promise<unknown> => {
  const run = `s${randomUUID().slice(0, 8)}`;
  let used = 0;
  const freshName = (): string => `${run}-${String(++used).padStart(2, '0')}`;
  const connect = (query = ''): Client => EventStoreDBClient.connectionString(address + query);
  const client = connect();
  let answer: unknown;
  try {
    answer = await within(CASE_SECONDS, cases[name]!(client, freshName, { connect }));
  } catch (error) {
    answer = { thrown: String(error) };
  }
  await Promise.race([client.dispose().catch(() => {}), sleep(1000)]);
  return JSON.parse(JSON.stringify(plain(answer ?? null, run))) as unknown;
};

/** Bigints as "1n", bytes in hexadecimal, stream names without what is random in them. */
const plain = (value: unknown, run: string): unknown => {
  if (typeof value === 'bigint') return `${value}n`;
  if (typeof value === 'string') return value.replaceAll(run, 'S');
  if (value instanceof Uint8Array) return { bytes: Buffer.from(value).toString('hex') };
  if (Array.isArray(value)) return value.map(item => plain(item, run));
  if (!value || typeof value !== 'object') return value;
  return Object.fromEntries(
    Object.entries(value)
      .filter(([, item]) => item !== undefined)
      .map(([key, item]) => [key, plain(item, run)]),
  );
};
