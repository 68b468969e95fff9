import type { Answered, Client } from '../api/client.js';
import type { Json } from '../json.js';
import { until } from '../platform.js';
import { randomOf } from '../random.js';
import { body, fits, HOUR, hour, hours, inStatus, made, move, path, rows, upToNow } from './goals.js';
import { eventsOf } from './sources.js';
import { expected, type World } from './world.js';

// What the stories about discovery and all that acts through edges share: a plant whose output falls with
// each incident and follows the orders of six hours before, streams and signals that do nothing to it, and
// reading what was found.

/** Of importance .66 and .70; the third of .06. */
export const INCIDENT = 'Factory explosion stops all shipments';
export const FIRE = 'Plant fire halts all production, major outage declared';
export const ROUTINE = 'Weekly newsletter sent';
/** What an incident takes off the hour after it, in deviations of the noise, and the hours to half of it. */
export const DEPTH = 20;
export const HALVING = 4;
/** Hours from an order to what it moves. */
export const LEAD = 6;

/**
 * Hours at which something occurs: irregular, three days apart and more, the last two days before the end.
 */
export function occasions(length: number, seed = 7): number[] {
  const { below } = randomOf(seed);
  const found: number[] = [];
  for (let i = 40 + below(24); i < length - 48; i += 66 + below(24)) found.push(i);
  return found;
}

/** Orders of an hour, as they are pushed: 50 and four for each deviation, which moves the output by three. */
export const ordered = (deviation: number): number => Math.round((50 + 4 * deviation) * 100) / 100;

/** Noise of deviation 1. */
export function noise(length: number, seed = 11): number[] {
  const { next } = randomOf(seed);
  return Array.from(
    { length },
    () => Math.sqrt(-2 * Math.log(1 - next())) * Math.cos(2 * Math.PI * next()),
  ).map(value => Math.round(value * 100) / 100);
}

/** What is missing in hour `i` because of what happened at these hours, from the hour after it on. */
export const missing = (i: number, incidents: readonly number[]): number =>
  incidents
    .filter(each => each < i && i - each < 48)
    .reduce((sum, each) => sum + DEPTH * 2 ** (-(i - each - 1) / HALVING), 0);

/** The plant's output in the hours `from` to `to`, which is not included. */
export function output(
  to: number,
  incidents: readonly number[],
  { from = 0, orders = [] as readonly number[], seed = 1, level = 200 } = {},
): number[] {
  return hours(to - from, { from, seed, level }).map((value, k) => {
    const moved = 3 * (orders[from + k - LEAD] ?? 0) - missing(from + k, incidents);
    return Math.round((value + moved) * 100) / 100;
  });
}

/** Events of one text at these times, epoch ms; waits until they are scored. */
export async function record(
  api: Client,
  key: string,
  text: string,
  times: readonly number[],
  more: object = {},
): Promise<string[]> {
  const events = times.map(occurred_at => ({ key, text, occurred_at, ...more }));
  const { data } = expected(await api.post<Json>('/v1/event/record-batch', { events }), 201);
  const ids: string[] = data.events.map((each: Json) => each.event_id);
  await scored(api, key);
  return ids;
}
/** Waits until all of a stream is scored. */
export const scored = (api: Client, key: string): Promise<true> =>
  until(
    async () => (await eventsOf(api, key)).every(each => each.status === 'scored') || null,
    `${key} scored`,
  );
/** One event that is recorded now; answers its id once it is scored. */
export async function happens(api: Client, key: string, text: string, more: object = {}): Promise<string> {
  const { data } = expected(await api.post<Json>('/v1/event/record', { key, text, ...more }));
  await scored(api, key);
  return data.event_id;
}

export type Plant = {
  /** The hour that has begun, counted from the first of the series. */
  readonly now: number;
  readonly from: number;
  readonly incidents: readonly number[];
  readonly orders: readonly number[];
};
/**
 * Seventy-five days of a plant in a workspace: `plant.output` and `plant.incidents`, which moves it;
 * `plant.orders`, which leads it; `plant.visits` and `plant.weather`, which do nothing.
 */
export async function plant(world: World, { length = 1_800, more = true } = {}): Promise<Plant> {
  const incidents = occasions(length);
  const orders = more ? noise(length) : [];
  const from = await upToNow(world, 'plant.output', output(length, incidents, { orders }));
  const times = (of: readonly number[]) => of.map(i => from + i * HOUR);
  await record(world.api, 'plant.incidents', INCIDENT, times(incidents));
  if (more) {
    await upToNow(world, 'plant.orders', orders.map(ordered));
    await upToNow(world, 'plant.weather', noise(length, 12));
    // A seed whose hours have nothing to do with those of incidents
    await record(world.api, 'plant.visits', ROUTINE, times(occasions(length, 173)));
  }
  return { now: length - 1, from, incidents, orders };
}
/** A goal over the plant's output whose drivers were looked for; answers its id. */
export async function driven(api: Client, more: object = {}): Promise<string> {
  const id = await made(api, body('plant.output', { horizon: 6, ...more }));
  expected(await move(api, id, 'activate', {}), 202);
  await inStatus(api, id, 'competing', 'active');
  await fits(api, id, found => found.status === 'active' && found.latest_forecast, 'a first forecast');
  return id;
}
/** An hour goes by in the plant, and its output comes; `fires` are the hours of incidents since. */
export async function goesOn(
  world: World,
  of: Plant,
  i: number,
  fires: readonly number[] = [],
): Promise<void> {
  world.later(HOUR);
  const [value] = output(i + 1, [...of.incidents, ...fires], { from: i, orders: of.orders });
  if (hour(world) !== of.from + i * HOUR) throw new Error(`hour ${i} of the plant is another one`);
  await upToNow(world, 'plant.output', [value!]);
}

export const discover = (api: Client, id: string, of: object = {}, headers = {}): Promise<Answered<Json>> =>
  api.post<Json>(path(id, '/discovery'), of, headers);
export const run = async (api: Client, id: string, discoveryId: string): Promise<Json> =>
  expected(await api.get<Json>(path(id, `/discovery/${discoveryId}`))).data;
export const runs = async (api: Client, id: string): Promise<Json[]> =>
  rows(expected(await api.get<Json>(path(id, '/discovery?per_page=100'))));
/** Waits for the end of a run, however it ends. */
export const ended = (api: Client, id: string, discoveryId: string): Promise<Json> =>
  until(async () => {
    const found = await run(api, id, discoveryId);
    return ['completed', 'failed', 'cancelled'].includes(found.status) && found;
  }, `the end of ${discoveryId}`);
/** Looks for what drives a goal, to the end; answers the run. */
export async function discovered(api: Client, id: string, of: object = {}): Promise<Json> {
  const { data } = expected(await discover(api, id, of), 202);
  const found = await ended(api, id, data.discovery_id);
  if (found.status !== 'completed')
    throw new Error(`${found.status}: ${JSON.stringify(found).slice(0, 900)}`);
  return found;
}

export const edges = async (api: Client, id: string, query = ''): Promise<Json[]> =>
  expected(await api.get<Json>(path(id, `/edges?per_page=100${query}`))).data.edges;
/** The edge from a source; undefined where there is none. */
export const edgeOf = async (api: Client, id: string, source: string): Promise<Json> =>
  (await edges(api, id)).find(each => each.source_key === source);
export const edge = async (api: Client, id: string, edgeId: string): Promise<Json> =>
  expected(await api.get<Json>(path(id, `/edges/${edgeId}`))).data;
export const turn = (api: Client, id: string, edgeId: string, how: string): Promise<Answered<Json>> =>
  api.post<Json>(path(id, `/edges/${edgeId}/${how}`), {});
/** Waits until an edge fits. */
export const edgeFits = (
  api: Client,
  id: string,
  edgeId: string,
  wanted: (found: Json) => boolean,
  what: string,
): Promise<Json> =>
  until(async () => {
    const found = await edge(api, id, edgeId);
    return wanted(found) && found;
  }, `${edgeId} with ${what}`);

/** The summary of a stream. */
export async function summary(api: Client, key: string): Promise<Json> {
  const { streams } = expected(await api.get<Json>('/v1/event/streams')).data;
  return streams.find((each: Json) => each.key === key);
}
/** Rows of the list of signals with a key: a stream's and a signal's. */
export async function signalRow(api: Client, key: string, type: string): Promise<Json> {
  const { signals } = expected(await api.get<Json>(`/v1/signal?type=${type}&search=${key}&limit=100`)).data;
  return signals.find((each: Json) => each.key === key);
}
