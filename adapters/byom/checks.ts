import { numbersOut } from '../../domain/byom/fitting.js';
import type { Sample } from '../../domain/byom/report.js';
import { MADE_PERIOD, madeSeries, originsOf, othersThan } from '../../domain/byom/sample.js';
import { levelsIn, type Signature } from '../../domain/byom/signature.js';
import { againstNaive } from './comparing.js';
import { openNetwork, type Answered, type OpenNetwork } from './network.js';
import type { Found, Order, RunCheck } from './messages.js';

const SLOW_MS = 500;
const PASSES = 20;
const MOST_SHOWN = 1_000;

/** Tries an opened network out: the checks from `forward_pass` on. */
export async function tryOut(
  check: RunCheck,
  path: string,
  { signature, series: given }: Order,
): Promise<Sample> {
  const { lookback, horizon } = signature;
  const length = Math.max(600, lookback + MADE_PERIOD * 10 + horizon * 4);
  const made = { values: madeSeries(length), period: MADE_PERIOD, source: 'a series made for it' };
  const series = given ?? made;
  const window = series.values.subarray(-lookback);

  const [network, first] = await check('forward_pass', async () => {
    const opened = await openNetwork(path, signature);
    return [[opened, await opened.run(window)] as const, `on ${series.source}`];
  });
  await check('output_shape', () => [null, shapeOf(first, signature)]);
  const origins = originsOf(series.values, lookback, horizon);
  const windows = origins.map(origin => series.values.subarray(Math.max(0, origin - lookback), origin));
  await check('finite_values', async () => [null, await finite(network, [window, ...windows], signature)]);
  await check('repeatable', async () => {
    const again = await network.run(window);
    if (!first.raw.every((value, i) => value === again.raw[i])) throw new Error('two passes differ');
    return [null, 'two passes, the same bits'];
  });
  await check('sensitivity', async () => {
    for (const other of [...othersThan(window), ...windows]) {
      const { raw } = await network.run(other);
      if (raw.some((value, i) => value !== first.raw[i])) return [null, 'another series, another forecast'];
    }
    throw new Error('it answers the same whatever the series is');
  });
  await check('latency', async () => [null, await latency(network, window)]);
  await check('beats_naive', async () => {
    if (!given && signature.normalization === 'none') return [null, UNTOLD];
    return [null, await againstNaive(network, series, origins, signature)];
  });
  return { input: [...window.slice(-MOST_SHOWN)].map(known), output: [...first.values.slice(0, MOST_SHOWN)] };
}

const UNTOLD = {
  status: 'skipped',
  message: 'it takes values as they are, and a series made for it tells nothing: name a segment_id',
} as const;

const known = (value: number): number => (Number.isFinite(value) ? value : 0);

function shapeOf({ dims, raw }: Answered, signature: Signature): string {
  const { horizon } = signature;
  const levels = levelsIn(signature).length;
  const shapes = signature.quantiles
    ? [[1, horizon, levels]]
    : [
        [1, horizon],
        [1, horizon, 1],
      ];
  const isOne = shapes.some(
    shape => shape.length === dims.length && shape.every((size, i) => size === dims[i]),
  );
  if (!isOne || raw.length !== numbersOut(signature))
    throw new Error(
      `it gives [${dims.join(', ')}], not ${shapes.map(shape => `[${shape.join(', ')}]`).join(' or ')}`,
    );
  return `[${dims.join(', ')}]`;
}

async function finite(
  network: OpenNetwork,
  windows: readonly Float64Array[],
  signature: Signature,
): Promise<Found> {
  for (const window of windows) {
    const { values } = await network.run(window);
    const wrong = values.findIndex(value => !Number.isFinite(value));
    if (wrong >= 0) throw new Error(`number ${wrong} of a forecast is ${values[wrong]}`);
  }
  for (const level of [0, 1]) {
    const { values } = await network.run(new Float64Array(signature.lookback).fill(level));
    if (!values.every(Number.isFinite))
      return { status: 'warning', message: `a series of ${level} alone has a forecast that is not finite` };
  }
  return `${windows.length} forecasts`;
}

async function latency(network: OpenNetwork, window: Float64Array): Promise<Found> {
  const times: number[] = [];
  for (let i = 0; i < PASSES && times.reduce((sum, ms) => sum + ms, 0) < 5 * SLOW_MS; i++) {
    const began = performance.now();
    await network.run(window);
    times.push(performance.now() - began);
  }
  const median = times.sort((a, b) => a - b)[Math.floor(times.length / 2)]!;
  const message = `${median.toFixed(2)} ms a forecast`;
  return median > SLOW_MS ? { status: 'warning', message: `${message}, more than ${SLOW_MS}` } : message;
}
