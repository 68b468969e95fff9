import { createHash } from 'node:crypto';
import * as assert from 'uvu/assert';
import type { Json } from '../json.js';
import { until, type Answer, type Running } from '../platform.js';

export const HOUR_S = 3_600;
/** 2026-01-05T00:00:00Z, a Monday. */
export const START_S = 1_767_571_200;
export const isoOf = (seconds: number): string => new Date(seconds * 1_000).toISOString();

/** A value each hour from the start on, as pushes take them. */
export const hours = (count: number, value: (i: number) => number, from = 0): [number, number][] =>
  Array.from({ length: count }, (_, i) => [START_S + (from + i) * HOUR_S, value(from + i)]);

/** A signal's values, pushed. */
export async function push(
  { call }: Pick<Running, 'call'>,
  key: string,
  values: readonly (readonly [number, number])[],
): Promise<void> {
  for (let from = 0; from < values.length; from += 5_000) {
    const body = { key, values: values.slice(from, from + 5_000) };
    const { status, text } = await call('POST', '/v1/signal/push', { body });
    assert.is(status, 200, text);
  }
}

export const recipe = (over: object = {}): object => ({
  name: 'Orders by hour',
  target: 'shop.orders',
  step_s: HOUR_S,
  ...over,
});

export async function create({ call }: Pick<Running, 'call'>, body: object): Promise<Json> {
  const { status, text, json } = await call('POST', '/v1/segment', { body });
  assert.is(status, 201, text);
  return json.data;
}

/** A segment of a signal of its own, with one feature. */
export async function namedSegment(
  running: Pick<Running, 'call'>,
  key: string,
): Promise<{ readonly segmentId: string; readonly featureId: string }> {
  await push(
    running,
    key,
    hours(48, i => i % 24),
  );
  const features = [{ name: 'hour', kind: 'calendar', params: { part: 'hour' } }];
  const made = await create(running, recipe({ target: key, features }));
  return { segmentId: made.segment_id, featureId: made.features[0].feature_id };
}

/** The segment once it is in a status, or has failed to become so. */
export async function settled(
  { call }: Pick<Running, 'call'>,
  id: string,
  status: string,
  also: (segment: Json) => boolean = () => true,
): Promise<Json> {
  return until(async () => {
    const { data } = (await call('GET', `/v1/segment/${id}`)).json;
    if (data?.status === 'failed' && status !== 'failed') throw new Error(JSON.stringify(data.error));
    return data?.status === status && also(data) && data;
  }, `the segment is ${status}`);
}

export const csvOf = ({ call }: Pick<Running, 'call'>, id: string, query = ''): Promise<Answer> =>
  call('GET', `/v1/segment/${id}/rows?format=csv${query}`);
export const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex');
