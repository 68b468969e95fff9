import * as assert from 'uvu/assert';
import type { Answered, Client } from '../api/client.js';
import type { Json } from '../json.js';
import { until } from '../platform.js';
import { randomOf } from '../random.js';
import { DAY, expected, openWorld, push, type World } from './world.js';

// What the stories about goals share: a target whose hours go up to now, a goal over it, and waiting for what
// becomes of it.

export const HOUR = DAY / 24;

/** A platform whose clock stands five minutes after midnight, and whose people have credits enough. */
export async function openGoals(env: Readonly<Record<string, string>> = {}): Promise<World> {
  const world = await openWorld({ DEFAULT_PLAN: 'team', ...env });
  world.later(DAY - (world.now() % DAY) + 5 * 60_000);
  return world;
}
/** The beginning of the hour that has begun. */
export const hour = (world: World): number => Math.floor(world.now() / HOUR) * HOUR;

/** Hours of demand: a day that repeats itself and noise of deviation 1; `i` counts from the first. */
export function hours(length: number, { seed = 1, from = 0, level = 100 } = {}): number[] {
  const { next } = randomOf(seed);
  const draw = () => Math.sqrt(-2 * Math.log(1 - next())) * Math.cos(2 * Math.PI * next());
  return Array.from({ length: from + length }, (_, i) => level + 10 * Math.sin((Math.PI * i) / 12) + draw())
    .slice(from)
    .map(value => Math.round(value * 100) / 100);
}
/** Pushes values of which the last is that of the hour that has begun; answers the time of the first. */
export async function upToNow(world: World, key: string, values: readonly number[]): Promise<number> {
  const from = hour(world) - (values.length - 1) * HOUR;
  await push(world.api, key, values, { from, step: HOUR });
  return from;
}

export const path = (id: string, below = '') => `/v1/goals/${id}${below}`;
/** The body of a goal over hours; what is not said is as the platform takes it. */
export const body = (target: string, more: object = {}) => ({
  ...{ name: `Hours of ${target}`, target, horizon: 3, step_s: 3_600 },
  ...more,
});
export const create = (api: Client, of: object, query = '', headers = {}): Promise<Answered<Json>> =>
  api.post<Json>(`/v1/goals${query}`, of, headers);
/** Makes a goal; answers its id. */
export const made = async (api: Client, of: object): Promise<string> =>
  expected(await create(api, of), 201).data.goal_id;
export const goal = async (api: Client, id: string, query = ''): Promise<Json> =>
  expected(await api.get<Json>(path(id, query))).data;
export const change = (api: Client, id: string, of: object, headers = {}): Promise<Answered<Json>> =>
  api.patch<Json>(path(id), of, headers);
/** One of the moves between states: activate, pause, resume, archive, restore. */
export const move = (api: Client, id: string, to: string, of: object = {}): Promise<Answered<Json>> =>
  api.post<Json>(path(id, `/${to}`), of);
/** Waits until a goal has one of these states. */
export const inStatus = (api: Client, id: string, ...statuses: string[]): Promise<Json> =>
  until(
    async () => {
      const found = await goal(api, id);
      return statuses.includes(found.status) && found;
    },
    `${id} being ${statuses.join(' or ')}`,
  );
/** Waits until a goal fits. */
export const fits = (
  api: Client,
  id: string,
  wanted: (found: Json) => boolean,
  what: string,
): Promise<Json> =>
  until(async () => {
    const found = await goal(api, id);
    return wanted(found) && found;
  }, `${id} with ${what}`);

/** Activates a goal, without a discovery unless it is wanted, and waits for its first forecast. */
export async function activated(
  api: Client,
  id: string,
  of: object = { skip_discovery: true },
): Promise<Json> {
  expected(await move(api, id, 'activate', of), 202);
  return fits(api, id, found => found.status === 'active' && found.latest_forecast, 'a first forecast');
}
/** A goal that is active; answers its id. */
export async function active(api: Client, of: object): Promise<string> {
  const id = await made(api, of);
  await activated(api, id);
  return id;
}

/** The rows of a list, by whatever name they go. */
export function rows(answer: Json): Json[] {
  const found = Object.values(answer.data ?? answer).find(Array.isArray);
  if (!found) throw new Error(`no rows in ${JSON.stringify(answer).slice(0, 500)}`);
  return found;
}
export const listed = async (api: Client, at: string): Promise<Json[]> =>
  rows(expected(await api.get<Json>(at)));

/** A goal's forecasts, the newest first. */
export const forecasts = async (api: Client, id: string, query = ''): Promise<Json[]> =>
  expected(await api.get<Json>(path(id, `/forecasts?per_page=100${query}`))).data.forecasts;
export const latest = async (api: Client, id: string): Promise<Json> =>
  expected(await api.get<Json>(path(id, '/forecasts/latest'))).data;
export const issued = async (api: Client, id: string, forecastId: string): Promise<Json> =>
  expected(await api.get<Json>(path(id, `/forecasts/${forecastId}`))).data;
/** Issues a forecast now; answers it. */
export const forecastNow = async (api: Client, id: string): Promise<Json> =>
  expected(await api.post<Json>(path(id, '/forecasts'), {}), 201).data;
/** Waits for a forecast that is newer than one; answers it. */
export const newer = (api: Client, id: string, than: Json): Promise<Json> =>
  until(async () => {
    const found = await latest(api, id);
    return found.issued_at > than.issued_at && found;
  }, `a forecast after that of ${than.issued_at}`);

/** What happened to a goal, the newest first. */
export const timeline = (api: Client, id: string): Promise<Json[]> =>
  listed(api, path(id, '/timeline?per_page=100'));
export const happened = async (api: Client, id: string, what: string): Promise<Json[]> =>
  (await timeline(api, id)).filter(each => JSON.stringify(each).includes(what));

/** The width of a forecast's 80% band at each step. */
export const widths = (forecast: Json): number[] =>
  forecast.points.map((point: Json) => point.quantiles['0.9'] - point.quantiles['0.1']);
export const means = (forecast: Json): number[] => forecast.points.map((point: Json) => point.mean);
/** The actuals of a forecast that are there, as numbers. */
export const actualsOf = (forecast: Json): number[] =>
  (forecast.actuals ?? [])
    .map((each: Json) => each.value)
    .filter((value: unknown) => typeof value === 'number');

/** Every number, wherever it stands, under a name; for shapes whose outside the papers leave open. */
export function named(json: Json, name: string): Json[] {
  if (json === null || typeof json !== 'object') return [];
  return Object.entries(json).flatMap(([key, value]) => [
    ...(key === name ? [value] : []),
    ...named(value as Json, name),
  ]);
}
/** Two numbers are the same but for rounding. */
export function close(found: number, by: number, what = '', tolerance = 1e-6): void {
  assert.ok(
    Math.abs(found - by) <= tolerance * Math.max(1, Math.abs(by)),
    `${what}: ${found} instead of ${by}`,
  );
}
