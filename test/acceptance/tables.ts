import { createHash } from 'node:crypto';
import * as assert from 'uvu/assert';
import type { Answered, Client } from '../api/client.js';
import type { Json } from '../json.js';
import { until } from '../platform.js';
import { DAY, expected, type World } from './world.js';

// What the stories about segments share: making one, waiting until its table is built, and reading it.

/** 1 January 2026, a Thursday. */
export const FROM = Date.UTC(2026, 0, 1);
export const day = (i: number): number => FROM + i * DAY;
export const iso = (ms: number): string => new Date(ms).toISOString();

/** A recipe of daily steps for tables of few rows; what is not said is as the platform takes it. */
export const daily = (target: string, more: object = {}) => ({
  ...{ name: 'Table', target, step_s: 86_400, timezone: 'UTC', aggregate: 'last' },
  ...{ fill: { method: 'none' }, split: { method: 'rolling_origin', folds: 1, horizon: 1, gap: 0 } },
  ...more,
});

export const segment = async (api: Client, id: string): Promise<Json> =>
  expected(await api.get<Json>(`/v1/segment/${id}`)).data;
/** Waits until a segment has a status and a version. */
export const inStatus = (api: Client, id: string, status: string, version = 1): Promise<Json> =>
  until(async () => {
    const found = await segment(api, id);
    if (found.status === 'failed' && status !== 'failed') throw new Error(JSON.stringify(found.error));
    return found.status === status && found.version >= version && found;
  }, `${id} being ${status}`);

export const create = (api: Client, recipe: object): Promise<Answered<Json>> =>
  api.post<Json>('/v1/segment', recipe);
/** Makes a segment and waits until its table is built. */
export async function built(api: Client, recipe: object): Promise<Json> {
  const { segment_id } = expected(await create(api, recipe), 201).data;
  return inStatus(api, segment_id, 'ready');
}

/** All rows of a table. */
export async function rowsOf(api: Client, id: string, query = ''): Promise<Json[]> {
  const rows: Json[] = [];
  for (;;) {
    const path = `/v1/segment/${id}/rows?limit=100&offset=${rows.length}${query}`;
    const { data } = expected(await api.get<Json>(path));
    rows.push(...data.rows);
    if (!data.has_more) return rows;
  }
}
/** The rows of a table of at most 100 rows that is looked at and not kept. */
export const previewed = async (api: Client, recipe: object): Promise<Json[]> =>
  expected(await api.post<Json>('/v1/segment/preview', recipe)).data.rows;
/** The rows of a new segment. */
export const tableOf = async (api: Client, recipe: object): Promise<Json[]> =>
  rowsOf(api, (await built(api, recipe)).segment_id);
export const column = (rows: readonly Json[], name: string): (number | null)[] =>
  rows.map(row => {
    if (!Object.hasOwn(row, name)) throw new Error(`no ${name} in ${JSON.stringify(row)}`);
    return row[name];
  });

/** The whole table as text, as anybody downloads it. */
export async function csvOf(world: World, id: string, query = ''): Promise<string> {
  const answer = await world.running.call('GET', `/v1/segment/${id}/rows?format=csv${query}`);
  assert.is(answer.status, 200, answer.text);
  assert.match(answer.headers.get('content-type')!, 'text/csv');
  return answer.text;
}
export const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex');

/** Numbers as they were worked out by hand, to 12 places. */
export function near(found: readonly (number | null)[], by: readonly (number | null)[], what = ''): void {
  assert.is(found.length, by.length, `${what}: ${JSON.stringify(found)}`);
  for (const [i, value] of by.entries()) {
    const other = found[i]!;
    const same =
      value === null ? other === null : Math.abs(other - value) <= 1e-12 * Math.max(1, Math.abs(value));
    assert.ok(same, `${what} ${i}: ${other} instead of ${value}, in ${JSON.stringify(found)}`);
  }
}

/** Pushes a value a day from `FROM` on; null is a day without one. */
export async function pushDays(api: Client, key: string, values: readonly (number | null)[]): Promise<void> {
  const points = values.map((value, i) => [day(i), value]).filter(([, value]) => value !== null);
  expected(await api.post<Json>('/v1/signal/push', { key, values: points }));
}
