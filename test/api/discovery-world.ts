import * as assert from 'uvu/assert';
import type { Json } from '../json.js';
import { until, type Answer, type Running } from '../platform.js';
import { randomOf } from '../random.js';
import { hours, HOUR_S, push, START_S } from './segments-world.js';

type Calls = Pick<Running, 'call'>;

/** Hours at which something fails, and those at which nothing does. */
export const FAILURES = [60, 101, 149, 204, 250, 303, 351, 398, 452, 501, 549];
export const VISITS = [75, 120, 171, 222, 270, 318, 366, 420, 470, 520, 560];

/** Ten lost at once, half of it four hours later. */
const lost = (i: number): number =>
  FAILURES.filter(at => at <= i).reduce((sum, at) => sum + 10 * 2 ** (-(i - at) / 4), 0);

/** 25 days of a plant: `plant.output`, which `plant.failures` lower, and `plant.visits` do not. */
export async function plant(api: Calls, length = 600): Promise<void> {
  const { next } = randomOf(3);
  const noise = Array.from({ length }, () => next() + next() + next() + next() - 2);
  const output = (i: number) => 100 + 5 * Math.sin((2 * Math.PI * i) / 24) + noise[i]! - lost(i);
  await push(api, 'plant.output', hours(length, output));
  await record(api, 'plant.failures', FAILURES);
  await record(api, 'plant.visits', VISITS);
}

/** Events of a stream ten minutes into these hours, scored. */
export async function record({ call }: Calls, key: string, at: readonly number[]): Promise<void> {
  const events = at.map(i => ({
    ...{ key, text: 'Factory explosion stops all shipments' },
    occurred_at: START_S + i * HOUR_S + 600,
  }));
  const { status, text } = await call('POST', '/v1/event/record-batch', { body: { events } });
  assert.is(status, 201, text);
  await until(async () => {
    const { json } = await call('GET', `/v1/event/streams/${key}/events?limit=100`);
    return json.data.events.every((event: Json) => event.status === 'scored');
  }, `${key} to be scored`);
}

export async function goalOf({ call }: Calls, more: object = {}): Promise<string> {
  const body = { name: 'Output', target: 'plant.output', horizon: 6, step_s: HOUR_S, ...more };
  const { status, text, json } = await call('POST', '/v1/goals', { body });
  assert.is(status, 201, text);
  return json.data.goal_id as string;
}
export const goal = async ({ call }: Calls, goalId: string): Promise<Json> =>
  (await call('GET', `/v1/goals/${goalId}`)).json.data;

export const discover = ({ call }: Calls, goalId: string, body: object = {}): Promise<Answer> =>
  call('POST', `/v1/goals/${goalId}/discovery`, { body });
export const run = async ({ call }: Calls, goalId: string, id: string): Promise<Json> =>
  (await call('GET', `/v1/goals/${goalId}/discovery/${id}`)).json.data;
/** The run once it is over, however it ended. */
export const over = (api: Calls, goalId: string, id: string): Promise<Json> =>
  until(async () => {
    const found = await run(api, goalId, id);
    return found.finished_at !== null && found;
  }, `the end of ${id}`);
/** Looks to the end of it. */
export async function discovered(api: Calls, goalId: string, body: object = {}): Promise<Json> {
  const { status, text, json } = await discover(api, goalId, body);
  assert.is(status, 202, text);
  return over(api, goalId, json.data.discovery_id);
}

export const edges = async ({ call }: Calls, goalId: string, query = ''): Promise<Json[]> =>
  (await call('GET', `/v1/goals/${goalId}/edges${query}`)).json.data.edges;
export const edgeOf = async (api: Calls, goalId: string, source: string): Promise<Json> =>
  (await edges(api, goalId)).find(each => each.source_key === source);
/** The summary of a stream, as the list of streams and as that of signals shows it. */
export async function summaries({ call }: Calls, key: string): Promise<[Json, Json]> {
  const { streams } = (await call('GET', '/v1/event/streams?points=none')).json.data;
  const { signals } = (await call('GET', `/v1/signal?type=event&search=${key}`)).json.data;
  return [streams.find((each: Json) => each.key === key).edges, signals[0].edges];
}
