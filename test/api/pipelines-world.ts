import * as assert from 'uvu/assert';
import type { Json } from '../json.js';
import { until, type Running } from '../platform.js';
import { create, hours, push, recipe, settled } from './segments-world.js';

type Calling = Pick<Running, 'call'>;

/** A segment over a wave of a day, with folds of some hours; its id. */
export async function waves(running: Calling, key = 'shop.orders', count = 400): Promise<string> {
  await push(
    running,
    key,
    hours(count, i => 100 + 10 * Math.sin((2 * Math.PI * i) / 24) + (i % 5)),
  );
  const made = await create(running, recipe({ target: key, split: { folds: 3, horizon: 12 } }));
  await settled(running, made.segment_id, 'ready');
  return made.segment_id;
}

/** A custom model of the workspace; its id in the catalogue. */
export async function custom({ call }: Calling, algorithm: string, over: object = {}): Promise<string> {
  const body = { kind: 'custom', algorithm, name: algorithm, ...over };
  const { status, text, json } = await call('POST', '/v1/models', { body });
  assert.is(status, 200, text);
  return json.data.uid;
}

export async function make({ call }: Calling, body: object): Promise<Json> {
  const { status, text, json } = await call('POST', '/v1/pipelines', { body });
  assert.is(status, 201, text);
  return json.data;
}

export const pipeline = async ({ call }: Calling, id: string): Promise<Json> =>
  (await call('GET', `/v1/pipelines/${id}`)).json.data;

/** The pipeline once something holds of it. */
export const once = (running: Calling, id: string, holds: (of: Json) => boolean, what: string) =>
  until(async () => {
    const found = await pipeline(running, id);
    return holds(found) && found;
  }, what);
