import * as assert from 'uvu/assert';
import type { Json } from '../json.js';
import { until, type Answer, type Running } from '../platform.js';
import { create, hours, push, recipe, settled } from './segments-world.js';

type Calls = Pick<Running, 'call'>;

/** A segment of hourly values with a day in them, built. */
export async function segmentOf(running: Calls, key = 'shop.orders', length = 24 * 14): Promise<string> {
  await push(
    running,
    key,
    hours(length, i => 10 + (i % 24) + (i % 7) / 10),
  );
  const split = { method: 'rolling_origin', folds: 2, horizon: 6, gap: 0 };
  const { segment_id: id } = await create(running, recipe({ target: key, split }));
  await settled(running, id, 'ready');
  return id;
}

/** A model of one of the algorithms; answers its id. */
export async function modelOf({ call }: Calls, algorithm: string, hyperparameters = {}): Promise<string> {
  const body = { kind: 'custom', algorithm, hyperparameters };
  const { status, json, text } = await call('POST', '/v1/models', { body });
  assert.is(status, 200, text);
  return json.data.uid as string;
}

export const queue = ({ call }: Calls, body: object): Promise<Answer> =>
  call('POST', '/v1/training', { body });

export async function queued(running: Calls, body: object): Promise<string> {
  const { status, text, json } = await queue(running, body);
  assert.is(status, 202, text);
  return json.data.training_id as string;
}

export const training = async ({ call }: Calls, id: string): Promise<Json> =>
  (await call('GET', `/v1/training/${id}`)).json.data;

const OVER = ['completed', 'failed', 'cancelled', 'skipped'];
/** The training once it is over, however it ended. */
export const over = (running: Calls, id: string): Promise<Json> =>
  until(async () => {
    const found = await training(running, id);
    return OVER.includes(found.status) && found;
  }, `the end of ${id}`);
