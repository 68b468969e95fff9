import type { Client } from '../api/client.js';
import type { Json } from '../json.js';
import { randomOf } from '../random.js';
import { built, daily, FROM } from './tables.js';
import { expected, push } from './world.js';

// What the stories about adapters share: a table of many series that are alike in a way that a model which
// has never seen them cannot know.

const SHAPE = [0, 30, 5, 60, -20, 45, 10, -35, 80, 15, -10];
/** Series of `shops__a`, `shops__b` ...: eleven days that repeat themselves, each at a level of its own. */
export async function shops(api: Client, { entities = 6, length = 330, base = 'shops' } = {}): Promise<Json> {
  const { next } = randomOf(9);
  for (let e = 0; e < entities; e++) {
    const level = 200 + 40 * e;
    const values = Array.from({ length }, (_, i) => level + SHAPE[(i + 2 * e) % 11]! + 6 * (next() - 0.5));
    await push(api, `${base}__${String.fromCharCode(97 + e)}`, values, { from: FROM });
  }
  const split = { method: 'rolling_origin', folds: 3, horizon: 11, gap: 0 };
  return built(api, daily(base, { entity_mode: 'per_entity', split }));
}

export const adaptersOf = async (api: Client, query = ''): Promise<Json[]> => {
  const { data } = expected(await api.get<Json>(`/v1/models/foundation/adapters${query}`));
  if (data.count !== data.adapters.length) throw new Error(`count ${data.count} of ${data.adapters.length}`);
  return data.adapters;
};
/** The adapter that a training made; undefined where it made none. */
export const adapterOf = async (api: Client, training: string): Promise<Json> =>
  (await adaptersOf(api, '?visibility=all')).find(each => each.training_id === training);

/** A fine-tune as a model of one's own; answers its uid. */
export async function tune(api: Client, more: object = {}): Promise<string> {
  const body = {
    kind: 'foundation',
    name: 'Shops',
    family: 'presage',
    slug: 'nano',
    visibility: 'private',
    ...more,
  };
  return expected(await api.post<Json>('/v1/models', body)).data.uid;
}
