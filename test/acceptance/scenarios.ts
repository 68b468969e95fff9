import * as assert from 'uvu/assert';
import type { Answered, Client } from '../api/client.js';
import type { Json } from '../json.js';
import { until } from '../platform.js';
import { close, path } from './goals.js';
import { expected } from './world.js';

// What the stories about scenarios share: making one and waiting for what it says.

export const scenario = (api: Client, id: string, of: object, headers = {}): Promise<Answered<Json>> =>
  api.post<Json>(path(id, '/scenarios'), { name: 'What if', base: 'latest', ...of }, headers);
export const scenarioOf = async (api: Client, id: string, scenarioId: string): Promise<Json> =>
  expected(await api.get<Json>(path(id, `/scenarios/${scenarioId}`))).data;
/** Waits for the end of a scenario; throws where it failed. */
export const finished = (api: Client, id: string, scenarioId: string): Promise<Json> =>
  until(async () => {
    const found = await scenarioOf(api, id, scenarioId);
    if (found.status === 'failed') throw new Error(JSON.stringify(found).slice(0, 900));
    return found.status === 'completed' && found;
  }, `${scenarioId} being completed`);
/** What would be if; answers the scenario when it is completed. */
export async function imagined(
  api: Client,
  id: string,
  assumptions: readonly object[],
  more: object = {},
): Promise<Json> {
  const answer = await scenario(api, id, { assumptions, ...more });
  const { data } = expected(answer, answer.status === 202 ? 202 : 201);
  const found = await finished(api, id, data.scenario_id);
  addsUp(found);
  return found;
}

export const deltas = (of: Json): number[] => of.delta.map((each: Json) => each.mean);
const sum = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0);
export const contributions = (of: Json): number[] =>
  of.by_assumption.map((each: Json) => each.contribution.mean ?? each.contribution);
export const total = (of: Json): number => of.total_delta.mean ?? of.total_delta;

/** Contributions are in the order of the assumptions and add up to the whole, which is that of the steps. */
export function addsUp(of: Json): void {
  assert.equal(
    of.by_assumption.map((each: Json) => each.index),
    of.by_assumption.map((_: Json, i: number) => i),
  );
  close(sum(contributions(of)), total(of), 'contributions add up');
  const [whole, each] = [sum(deltas(of)), sum(deltas(of)) / deltas(of).length];
  const near = Math.min(Math.abs(total(of) - whole), Math.abs(total(of) - each));
  assert.ok(near < 1e-6 * Math.max(1, Math.abs(whole)), `${total(of)} of steps that sum to ${whole}`);
}
