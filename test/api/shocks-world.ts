import * as assert from 'uvu/assert';
import { edgeCommands, edgeIdOf } from '../../commands/edges/records.js';
import { handler, loader } from '../../commands/engine/handle.js';
import type { Finding } from '../../domain/maths/effects/answer.js';
import { until, type Running } from '../platform.js';
import type { Json } from '../json.js';
import { HOUR_S } from './segments-world.js';

/** An effect of 8 at once, that falls to a half every four hours. */
export const AMPLITUDE = 8;
const HALF_LIFE_S = 4 * HOUR_S;
export const effectAfter = (hours: number): number => AMPLITUDE * 2 ** (-hours / 4);

const finding = (stream: string, knownInAdvance: boolean): Finding => ({
  ...{ kind: 'event_stream', sourceKey: stream, verdict: 'validated', reasons: [], direction: 'positive' },
  ...{ lift: 0.3, liftInterval: [0.2, 0.4], pValue: 0.001, qValue: 0.001, placeboP: 0.01 },
  ...{ nOccurrences: 20, optimalLagS: 0, halfLifeS: HALF_LIFE_S, halfLifeInterval: [10_000, 20_000] },
  responseCurve: {
    ...{ stepS: HOUR_S, scale: 2, preTrendP: 0.7 },
    points: Array.from({ length: 20 }, (_, i) => {
      const effect = i < 2 ? 0 : effectAfter(i - 2) / 2;
      return { offsetS: (i - 2) * HOUR_S, effect, lower: effect, upper: effect, mean: effect, n: 20 };
    }),
  },
  response: {
    ...{ amplitude: AMPLITUDE, delayS: 0, peakS: 0, halfLifeS: HALF_LIFE_S, form: 'exponential' },
    weighing: { by: 'none', mean: 1 },
  },
  ...{ stability: 1, strength: 0.5, relationshipType: 'strong', knownInAdvance },
  ...{ confounders: [], confoundedBy: [] },
});

/** Makes a stream drive a goal, as a discovery would; the edge's id. */
export async function edgeOf(
  { platform, installed }: Running,
  goalId: string,
  stream: string,
  { knownInAdvance = false } = {},
): Promise<string> {
  const { events } = platform.stores;
  const { workspaceId: workspace } = installed;
  const commands = edgeCommands({ handle: handler(events, platform.newId), load: loader(events) });
  const at = platform.clock();
  const context = {
    ...{
      workspace,
      actor: 'reactor:test',
      request: null,
      correlation: platform.newId(),
      causation: null,
      at,
    },
  };
  const check = { checkId: platform.newId(), asOf: at, alpha: 0.05 };
  const { position } = await commands.check(
    workspace,
    goalId,
    finding(stream, knownInAdvance),
    check,
    context,
  );
  await platform.visible(position);
  return edgeIdOf({ goalId, kind: 'event_stream', sourceKey: stream });
}

export async function record({ call }: Running, body: object): Promise<string> {
  const { status, text, json } = await call('POST', '/v1/event/record', { body });
  assert.is(status, 200, text);
  const eventId = json.data.event_id as string;
  await until(async () => {
    const found = (await call('GET', `/v1/event/${eventId}`)).json.data;
    return found.status === 'scored';
  }, `scores of ${eventId}`);
  return eventId;
}

export const goalOf = async ({ call }: Running, goalId: string): Promise<Json> =>
  (await call('GET', `/v1/goals/${goalId}`)).json.data;
export const becomes = (running: Running, goalId: string, state: string): Promise<Json> =>
  until(async () => {
    const goal = await goalOf(running, goalId);
    return goal.shock_state === state && goal;
  }, `${goalId} to be ${state}`);
export const shocksOf = async ({ call }: Running, goalId: string): Promise<Json[]> =>
  (await call('GET', `/v1/goals/${goalId}/shocks`)).json.data.shocks;
