import type { Answered, Client } from '../api/client.js';
import type { Json } from '../json.js';
import { until } from '../platform.js';
import { edgeOf, driven, plant, type Plant } from './discovery.js';
import { fits, forecastNow, openGoals, path, rows } from './goals.js';
import { event } from './sources.js';
import { expected, type World } from './world.js';

// What the stories about shocks, scheduled events and revisions share: a plant whose incidents are known to
// take from its output, and waiting for what an event does to a goal.

export type Watched = {
  readonly world: World;
  readonly of: Plant;
  readonly id: string;
  readonly edgeId: string;
};
/**
 * A goal over the output of a plant with a validated edge from its incidents; with `all` from orders, too.
 */
export async function watched(
  env: Readonly<Record<string, string>> = {},
  more: object = {},
  all = false,
): Promise<Watched> {
  const world = await openGoals({ RATE_HEAVY: '10000', ...env });
  const of = await plant(world, { more: all });
  const id = await driven(world.api, more);
  const found = await edgeOf(world.api, id, 'plant.incidents');
  if (found?.status !== 'validated') throw new Error(`no edge: ${JSON.stringify(found)}`);
  return { world, of, id, edgeId: found.edge_id };
}

/** Waits until an event says what it did to a goal; answers that. */
export const effectOn = (api: Client, eventId: string, goalId: string): Promise<Json> =>
  until(
    async () => (await event(api, eventId)).effects.find((each: Json) => each.goal_id === goalId),
    `the effect of ${eventId} on ${goalId}`,
  );
/** Waits until a goal is in one of these states of shock. */
export const inShockState = (api: Client, id: string, ...states: string[]): Promise<Json> =>
  fits(api, id, found => states.includes(found.shock_state), `shock_state ${states.join(' or ')}`);

export const episodes = async (api: Client, id: string): Promise<Json[]> =>
  rows(expected(await api.get<Json>(path(id, '/shocks'))));
export const exit = (
  api: Client,
  id: string,
  of: object = { reason: 'Under control' },
): Promise<Answered<Json>> => api.post<Json>(path(id, '/shock/exit'), of);
export const simulate = (api: Client, id: string, of: object): Promise<Answered<Json>> =>
  api.post<Json>(path(id, '/shock/simulate'), of);

/** The points of a forecast by their time. */
export const byTime = (forecast: Json): Map<string, Json> =>
  new Map(forecast.points.map((point: Json) => [point.ts, point]));
/** How far the means of one forecast lie above those of another, at the times that both have. */
export function above(one: Json, other: Json): { readonly ts: string; readonly by: number }[] {
  const others = byTime(other);
  return one.points
    .filter((point: Json) => others.has(point.ts))
    .map((point: Json) => ({ ts: point.ts, by: point.mean - others.get(point.ts).mean }));
}
/** Waits until a forecast that is issued now fits. */
export const forecastThat = (
  api: Client,
  id: string,
  wanted: (found: Json) => boolean,
  what: string,
): Promise<Json> =>
  until(async () => {
    const found = await forecastNow(api, id);
    return wanted(found) && found;
  }, what);
