import * as assert from 'uvu/assert';
import type { Json } from '../json.js';
import { until, type Answer, type Running } from '../platform.js';

type Calls = Pick<Running, 'call'>;

export async function draftOf({ call }: Calls, target: string): Promise<string> {
  const body = { name: 'Orders', target, horizon: 12, step_s: 3_600 };
  const { status, text, json } = await call('POST', '/v1/goals', { body });
  assert.is(status, 201, text);
  return json.data.goal_id as string;
}
export const goal = async ({ call }: Calls, goalId: string): Promise<Json> =>
  (await call('GET', `/v1/goals/${goalId}`)).json.data;

/** A goal that models have competed for. */
export async function activeOf(api: Calls, target: string): Promise<string> {
  const goalId = await draftOf(api, target);
  const body = { skip_discovery: true };
  const { status, text } = await api.call('POST', `/v1/goals/${goalId}/activate`, { body });
  assert.is(status, 202, text);
  await until(async () => (await goal(api, goalId)).status === 'active', 'the goal to be active');
  return goalId;
}

export const start = ({ call }: Calls, goalId: string, body: object = {}): Promise<Answer> =>
  call('POST', `/v1/goals/${goalId}/tournaments`, { body });
export const tournaments = async ({ call }: Calls, goalId: string, query = ''): Promise<Json> =>
  (await call('GET', `/v1/goals/${goalId}/tournaments${query}`)).json.data;
export const tournament = async ({ call }: Calls, goalId: string, id: string): Promise<Json> =>
  (await call('GET', `/v1/goals/${goalId}/tournaments/${id}`)).json.data;

/** The tournament once it is over, however it ended. */
export const over = (api: Calls, goalId: string, id: string): Promise<Json> =>
  until(async () => {
    const found = await tournament(api, goalId, id);
    return found.finished_at !== null && found;
  }, `the end of ${id}`);
export async function held(api: Calls, goalId: string, body: object): Promise<Json> {
  const { status, text, json } = await start(api, goalId, body);
  assert.is(status, 202, text);
  return over(api, goalId, json.data.tournament_id);
}
