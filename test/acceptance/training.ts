import { createHash } from 'node:crypto';
import type { Answered, Client } from '../api/client.js';
import type { Json } from '../json.js';
import { until } from '../platform.js';
import { daily as orders, passengers } from './series.js';
import { built, daily, FROM } from './tables.js';
import { expected, openWorld, push, type World } from './world.js';

// What the stories about trainings share: a table of a real series, a model of one's own, and a training that
// is queued and watched to its end.

/** A platform whose people have credits enough for trainings. */
export const openTraining = (env: Readonly<Record<string, string>> = {}): Promise<World> =>
  openWorld({ DEFAULT_PLAN: 'team', ...env });

type Table = { readonly folds?: number; readonly horizon?: number; readonly more?: object };
const split = ({ folds = 3, horizon = 12, more = {} }: Table) => ({
  split: { method: 'rolling_origin', folds, horizon, gap: 0 },
  ...more,
});

/** The airline's passengers, one value a day in place of one a month, as a segment; answers its record. */
export async function airline(api: Client, table: Table = {}, key = 'air'): Promise<Json> {
  await push(api, key, passengers, { from: FROM });
  return built(api, daily(key, split(table)));
}

/** Orders of a shop, which have a week, as a segment. */
export async function shop(api: Client, length = 200, table: Table = {}, key = 'orders'): Promise<Json> {
  await push(api, key, orders(length), { from: FROM });
  return built(api, daily(key, split({ horizon: 7, ...table })));
}

/** A model of one of the algorithms; answers its uid. */
export async function custom(api: Client, algorithm: string, more: object = {}): Promise<string> {
  const body = {
    kind: 'custom',
    name: `${algorithm} of ours`,
    visibility: 'private',
    algorithm,
    hyperparameters: {},
    ...more,
  };
  return expected(await api.post<Json>('/v1/models', body)).data.uid;
}

export const queue = (api: Client, body: object, headers = {}): Promise<Answered<Json>> =>
  api.post<Json>('/v1/training', body, headers);
/** Queues a training; answers its id. */
export const queued = async (api: Client, body: object): Promise<string> =>
  expected(await queue(api, body), 202).data.training_id;

export const training = async (api: Client, id: string): Promise<Json> =>
  expected(await api.get<Json>(`/v1/training/${id}`)).data;
export const report = async (api: Client, id: string): Promise<Json> =>
  expected(await api.get<Json>(`/v1/training/${id}/report`)).data;

export const OVER = ['completed', 'failed', 'cancelled', 'skipped'];
/** Waits until a training is over, however it ended. */
export const over = (api: Client, id: string): Promise<Json> =>
  until(async () => {
    const found = await training(api, id);
    return OVER.includes(found.status) && found;
  }, `the end of ${id}`);
/** Waits until a training is completed; throws where it ends otherwise. */
export async function completed(api: Client, id: string): Promise<Json> {
  const found = await over(api, id);
  if (found.status !== 'completed') throw new Error(`${found.status}: ${JSON.stringify(found.error)}`);
  return found;
}
/** Queues a training and waits until it is completed; answers its record. */
export const trained = async (api: Client, body: object): Promise<Json> =>
  completed(api, await queued(api, body));

/** What lies behind an address, without any credential. */
export async function fetched(url: string): Promise<{ status: number; bytes: Buffer; headers: Headers }> {
  const answer = await fetch(url);
  return {
    status: answer.status,
    bytes: Buffer.from(await answer.arrayBuffer()),
    headers: answer.headers,
  };
}
export const hashOf = (bytes: Buffer): string => createHash('sha256').update(bytes).digest('hex');

/** Each name is a member of the object, if only as null. */
export function has(object: Json, names: string): void {
  const missing = names.split(/[\s,]+/).filter(name => name !== '' && !Object.hasOwn(object, name));
  if (missing.length > 0)
    throw new Error(`no ${missing.join(', ')} in ${JSON.stringify(object).slice(0, 900)}`);
}
