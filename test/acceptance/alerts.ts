import type { Answered, Client } from '../api/client.js';
import type { Json } from '../json.js';
import { until } from '../platform.js';
import { HOUR, latest, newer, path, rows, upToNow } from './goals.js';
import { expected, type World } from './world.js';

// What the stories about alerts share: rules over a goal, and what they made of what came.

/** The rules of a goal; null: those of the workspace. */
export const alertsPath = (goalId: string | null, below = ''): string =>
  goalId === null ? `/v1/goals/alerts${below}` : path(goalId, `/alerts${below}`);
export const rule = (kind: string, params: object = {}, more: object = {}) => ({
  ...{ name: `When ${kind}`, kind, params, severity: 'warning', cooldown_seconds: 0 },
  ...more,
});
export const makeAlert = (
  api: Client,
  goalId: string | null,
  of: object,
  headers = {},
): Promise<Answered<Json>> => api.post<Json>(alertsPath(goalId), of, headers);
/** Makes a rule; answers its id. */
export const alerting = async (
  api: Client,
  goalId: string | null,
  kind: string,
  params: object = {},
  more: object = {},
): Promise<string> => expected(await makeAlert(api, goalId, rule(kind, params, more)), 201).data.alert_id;
export const alert = async (api: Client, goalId: string, id: string): Promise<Json> =>
  expected(await api.get<Json>(alertsPath(goalId, `/${id}`))).data;
export const changeAlert = (api: Client, goalId: string, id: string, of: object): Promise<Answered<Json>> =>
  api.patch<Json>(alertsPath(goalId, `/${id}`), of);
/** Waits until a rule is in one of these states. */
export const alertIn = (api: Client, goalId: string, id: string, ...states: string[]): Promise<Json> =>
  until(
    async () => {
      const found = await alert(api, goalId, id);
      return states.includes(found.state) && found;
    },
    `${id} being ${states.join(' or ')}`,
  );
/** What a rule made, the newest first. */
export const instances = async (api: Client, goalId: string, id: string): Promise<Json[]> =>
  rows(expected(await api.get<Json>(alertsPath(goalId, `/${id}/instances`))));
/** Waits until a rule has made so many instances; answers the newest. */
export const fired = (api: Client, goalId: string, id: string, count = 1): Promise<Json> =>
  until(async () => {
    const found = await instances(api, goalId, id);
    return found.length >= count && found[0];
  }, `instance ${count} of ${id}`);
/** What somebody does about an instance: acknowledge, resolve, snooze. */
export const act = (
  api: Client,
  goalId: string,
  id: string,
  instanceId: string,
  how: string,
  of: object = {},
): Promise<Answered<Json>> => api.post<Json>(alertsPath(goalId, `/${id}/instances/${instanceId}/${how}`), of);

/** An hour goes by, and this is its value. */
export async function hourOf(world: World, key: string, value: number): Promise<void> {
  world.later(HOUR);
  await upToNow(world, key, [value]);
}
/** Hours of a quiet value go by until a rule is in one of these states. */
export async function quietUntil(
  world: World,
  key: string,
  goalId: string,
  id: string,
  ...states: string[]
): Promise<Json> {
  for (let hours = 0; hours < 5; hours++) {
    const found = await alert(world.api, goalId, id);
    if (states.includes(found.state)) return found;
    const before = await latest(world.api, goalId);
    await hourOf(world, key, 100);
    await newer(world.api, goalId, before);
  }
  return alertIn(world.api, goalId, id, ...states);
}
