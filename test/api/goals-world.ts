import * as assert from 'uvu/assert';
import type { Answer } from '../platform.js';

type Call = (
  method: string,
  path: string,
  sent: { readonly body: unknown },
) => Promise<Pick<Answer, 'status' | 'text' | 'json'>>;

/** A draft of a goal over a signal that was pushed for it; its id. */
export async function goalBy(call: Call, target: string): Promise<string> {
  const pushed = await call('POST', '/v1/signal/push', { body: { key: target, value: 1 } });
  assert.is(pushed.status, 200, pushed.text);
  const body = { name: 'A goal', target, horizon: 3, step_s: 3_600 };
  const made = await call('POST', '/v1/goals', { body });
  assert.is(made.status, 201, made.text);
  return made.json.data.goal_id as string;
}

/** An alert of a goal; its id. */
export async function alertBy(call: Call, goalId: string): Promise<string> {
  const body = { name: 'An alert', kind: 'shock' };
  const made = await call('POST', `/v1/goals/${goalId}/alerts`, { body });
  assert.is(made.status, 201, made.text);
  return made.json.data.alert_id as string;
}
/** A fleet over the only entity of a base, whose signal was pushed for it; its id. */
export async function fleetBy(call: Call, base: string): Promise<string> {
  const pushed = await call('POST', '/v1/signal/push', { body: { key: `${base}__one`, value: 1 } });
  assert.is(pushed.status, 200, pushed.text);
  const body = { name: 'A fleet', base_key: base, template: { horizon: 3, step_s: 3_600 } };
  const begun = await call('POST', '/v1/goals/fleets', { body });
  assert.is(begun.status, 202, begun.text);
  return begun.json.data.fleet_id as string;
}
