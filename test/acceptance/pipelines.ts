import type { Answered, Client } from '../api/client.js';
import type { Json } from '../json.js';
import { until } from '../platform.js';
import { expected } from './world.js';

// What the stories about pipelines share: making one, and waiting for its cycles and what they lead to.

export const path = (id: string, below = '') => `/v1/pipelines/${id}${below}`;
export const pipeline = async (api: Client, id: string): Promise<Json> =>
  expected(await api.get<Json>(path(id))).data;

/** A pipeline over a segment; what is not said is as the platform takes it. */
export const recipe = (segment: string, models: readonly object[], more: object = {}) => ({
  name: 'Passengers',
  segment,
  models,
  forecast_horizon: 12,
  ...more,
});
export const create = (api: Client, body: object, query = ''): Promise<Answered<Json>> =>
  api.post<Json>(`/v1/pipelines${query}`, body);
/** Makes a pipeline; answers its id. */
export const made = async (api: Client, body: object): Promise<string> =>
  expected(await create(api, body), 201).data.pipeline_id;
export const change = (api: Client, id: string, body: object, headers = {}): Promise<Answered<Json>> =>
  api.patch<Json>(path(id), body, headers);

/** A schedule under which nothing is due while a test runs: the day before yesterday, for a minute. */
export const dormant = (now: number) => ({
  training_schedule: {
    start_time: '03:00',
    end_time: '03:01',
    days: [WEEK[new Date(now - 2 * 86_400_000).getUTCDay()]!],
    frequency: '3600',
    timezone: 'UTC',
  },
});
const WEEK = ['sunday', 'monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday'];

export const cycles = async (api: Client, id: string): Promise<Json[]> =>
  expected(await api.get<Json>(path(id, '/cycles?per_page=100'))).data.cycles;
export const cycle = async (api: Client, id: string, cycleId: string): Promise<Json> =>
  expected(await api.get<Json>(path(id, `/cycles/${cycleId}`))).data;
/** Waits until so many cycles are there and all are over; answers the newest. */
export const cycled = (api: Client, id: string, count = 1): Promise<Json> =>
  until(async () => {
    const found = (await cycles(api, id)).toSorted((a, b) => (a.started_at < b.started_at ? -1 : 1));
    return found.length >= count && found.every(each => each.finished_at !== null) && found.at(-1);
  }, `cycle ${count} of ${id}`);
/** Runs a pipeline now, and waits for the end of the cycle. */
export async function run(api: Client, id: string): Promise<Json> {
  const { data } = expected(await api.post<Json>(path(id, '/run'), {}), 202);
  return until(async () => {
    const found = await cycle(api, id, data.cycle_id);
    return found.finished_at !== null && found;
  }, `the end of ${data.cycle_id}`);
}

/** Waits until a pipeline has a status. */
export const inStatus = (api: Client, id: string, ...statuses: string[]): Promise<Json> =>
  until(
    async () => {
      const found = await pipeline(api, id);
      return statuses.includes(found.status) && found;
    },
    `${id} being ${statuses.join(' or ')}`,
  );
/** Waits for a candidate that a decision is awaited on. */
export const pending = (api: Client, id: string): Promise<Json> =>
  until(async () => {
    const { candidate, status } = await pipeline(api, id);
    return status === 'awaiting_decision' && candidate?.status === 'pending' && candidate;
  }, `a candidate of ${id}`);
export const decide = (api: Client, id: string, body: object): Promise<Answered<Json>> =>
  api.post<Json>(path(id, '/promotion-decision'), body);
/** Waits until a pipeline serves, and not what it served before; answers `serving`. */
export const serving = (api: Client, id: string, before: string | null = null): Promise<Json> =>
  until(async () => {
    const { serving: found } = await pipeline(api, id);
    if (!found || found.promotion_id === before) return null;
    const { data } = expected(await api.get<Json>(`/v1/deployments/${found.promotion_id}`));
    return data.status === 'deployed' && data.ready && found;
  }, `${id} serving`);
/** Approves what is pending, and waits until it serves. */
export async function promoted(api: Client, id: string, before: string | null = null): Promise<Json> {
  await pending(api, id);
  expected(await decide(api, id, { decision: 'approve' }));
  return serving(api, id, before);
}
