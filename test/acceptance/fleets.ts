import type { Answered, Client } from '../api/client.js';
import type { Json } from '../json.js';
import { until } from '../platform.js';
import { hour, HOUR, hours, rows } from './goals.js';
import { expected, push, type World } from './world.js';

// What the stories about fleets share: shops that each have a series of sales, and a fleet over them.

export const SHOPS = ['berlin', 'oslo', 'paris', 'rome'];
export const LENGTH = 120;
export const keyOf = (shop: string): string => `shop.sales__${shop}`;
/** Sales of a shop hour by hour: the same day, another level and other noise. */
export const sales = (shop: string, length: number, from = 0): number[] => {
  const seed = [...shop].reduce((sum, letter) => sum + letter.charCodeAt(0), 0);
  return hours(length, { from, seed, level: 50 + (seed % 7) * 30 });
};
/** Pushes what a shop sold up to now. */
export async function open(world: World, shop: string, length = LENGTH): Promise<void> {
  const from = hour(world) - (length - 1) * HOUR;
  await push(world.api, keyOf(shop), sales(shop, length), { from, step: HOUR });
}
/** Hours go by and every shop has sold; `from` counts from the first hour. */
export async function sold(world: World, shops: readonly string[], from: number): Promise<void> {
  world.later(HOUR);
  for (const shop of shops) await push(world.api, keyOf(shop), sales(shop, 1, from), { from: hour(world) });
}

export const fleetsPath = (id = '', below = ''): string =>
  `/v1/goals/fleets${id === '' ? '' : `/${id}`}${below}`;
/** Goals that look for no drivers, so that they are quickly in use. */
export const template = (more: object = {}) => ({
  ...{ horizon: 3, step_s: 3_600, candidates: { signals: [], event_streams: [] } },
  ...{ options: { auto_discovery: 'off', auto_tournament: 'off' }, ...more },
});
export const fleetBody = (more: object = {}) => ({
  ...{ name: 'Shops', base_key: 'shop.sales', entities: 'all', template: template() },
  ...more,
});
export const makeFleet = (
  api: Client,
  of: object = fleetBody(),
  query = '',
  headers = {},
): Promise<Answered<Json>> => api.post<Json>(`${fleetsPath()}${query}`, of, headers);
export const fleet = async (api: Client, id: string): Promise<Json> =>
  expected(await api.get<Json>(fleetsPath(id))).data;
/** Waits until a fleet fits. */
export const fleetThat = (
  api: Client,
  id: string,
  wanted: (found: Json) => boolean,
  what: string,
): Promise<Json> =>
  until(async () => {
    const found = await fleet(api, id);
    return wanted(found) && found;
  }, `${id} with ${what}`);
/** Waits until a fleet has one of these states. */
export const fleetIn = (api: Client, id: string, ...statuses: string[]): Promise<Json> =>
  fleetThat(api, id, ({ status }) => statuses.includes(status), statuses.join(' or '));
export const goalsOf = async (api: Client, id: string): Promise<Json[]> =>
  rows(expected(await api.get<Json>(fleetsPath(id, '/goals?per_page=100'))));
/** Waits until a fleet has so many goals, each with this status and a forecast where it is in use. */
export const goalsIn = (api: Client, id: string, count: number, status = 'active'): Promise<Json[]> =>
  until(async () => {
    const { goals } = expected(await api.get<Json>(`/v1/goals?fleet_id=${id}&per_page=100`)).data;
    const all = goals.every(
      (each: Json) => each.status === status && (status !== 'active' || each.latest_forecast),
    );
    return goals.length === count && all && goals;
  }, `${count} goals of ${id} being ${status}`);
/** A fleet over all shops whose goals are in use; answers its id. */
export async function running(api: Client, more: object = {}, count = SHOPS.length): Promise<string> {
  const { data } = expected(await makeFleet(api, fleetBody(more)), 202);
  await goalsIn(api, data.fleet_id, count);
  await fleetIn(api, data.fleet_id, 'active');
  return data.fleet_id;
}
/** What is forecast at a level: `total`, `entity`, or one of the fleet's own. */
export const forecastAt = async (api: Client, id: string, level: string): Promise<Json> =>
  expected(await api.get<Json>(fleetsPath(id, `/forecast?level=${level}`))).data;
