import { createHash } from 'node:crypto';
import * as assert from 'uvu/assert';
import { tasks } from '../../commands/inference/tasks/index.js';
import { make } from '../../commands/inference/making.js';
import { CODE_VERSION, prepared } from '../../commands/inference/work.js';
import type { ServedDeployment } from '../../domain/deployments/served.js';
import type { InferenceTask } from '../../domain/inference/facts.js';
import { givenSeries, type GivenSeries } from '../../domain/inference/given.js';
import type { InferenceRequest } from '../../domain/inference/request.js';
import { normals, seasonalForecast, sine } from '../domain/maths/forecasting/toys.js';
import { suite } from '../suite.js';

// What each version of the formulas around a model makes of the same requests, by a model that is a formula
// itself. Whoever changes a number raises CODE_VERSION and puts what it makes here: then a replay of an older
// inference tells why it is not the same.

const MADE: Readonly<Record<string, string>> = {
  'inference-2': '45258c0456ec62e6',
};

const toy = seasonalForecast(0.7);
const deployment: ServedDeployment = {
  promotionId: 'prm_0123456789abcdef_0000000000000000',
  model: { family: 'toy', slug: 'season', version: '1', name: 'Toy' },
  ...{ horizon: 9, maxHorizon: 64, lookback: 200, readsTimes: false, reads: [] },
  forecaster: {
    ...{ slug: 'season', version: '1', caps: { context: 200, horizon: 64 } },
    tasks: ['forecast', 'anomaly', 'impute', 'embed', 'classify'],
    forecast: async (series, horizon) =>
      (await toy(series, horizon)).map((quantiles, i) => ({
        quantiles,
        embedding: Float32Array.from(series[i]!.values.slice(-4)),
      })),
  },
};

const normal = normals(20_261_123);
const even = (values: ArrayLike<number | null>, id: string): GivenSeries => ({
  ...{ id, start: '2026-01-01T00:00:00Z', step_s: 86_400, values: Array.from(values) },
});
const noisy = Array.from(sine(150, 7, normal));
const series: readonly GivenSeries[] = [
  even(noisy, 'a season'),
  even(
    noisy.map((value, i) => (i % 11 < 2 || i > 146 ? null : value + i)),
    'with gaps',
  ),
  even(new Float64Array(50).fill(3.7), 'constant'),
  even([3, 5, 4], 'short'),
  { id: 'monthly', points: noisy.slice(0, 40).map((value, i) => [Date.UTC(2022, i, 1), value]) },
];
const price = Array.from({ length: 159 }, (_, i) => Number(i % 5 === 0));
const levels = [0.01, 0.1, 0.33, 0.5, 0.9];
const asked: readonly (readonly [InferenceTask, InferenceRequest])[] = [
  ['forecast', { series }],
  ['forecast', { series, horizon: 20, quantiles: levels, explain: true, fill: 'seasonal' }],
  [
    'forecast',
    { series: series.slice(0, 1), past: { price: price.slice(0, 150) }, future: { price: price.slice(150) } },
  ],
  ['anomaly', { series: series.slice(0, 3), window: 10, level: 90 }],
  ['backtest', { series: series.slice(0, 3), horizon: 5, windows: 4, step: 3 }],
  ['impute', { series: series.slice(0, 3), fill: 'ffill' }],
  ['embed', { series: series.slice(0, 2) }],
  [
    'classify',
    {
      series: series.slice(0, 1),
      examples: series.slice(0, 2).map(({ id, values }) => ({ label: id!, values: values! })),
    },
  ],
];

/** Without the last digits, in which processors and engines may differ. */
const rounded = (value: unknown): unknown => {
  if (typeof value === 'number') return Math.round(value * 1e6) / 1e6;
  if (value === null || typeof value !== 'object') return value;
  if (Array.isArray(value)) return value.map(rounded);
  return Object.fromEntries(Object.entries(value).map(([name, of]) => [name, rounded(of)]));
};

suite('the version of the formulas around a model', test => {
  test('is another one when they make other numbers', async () => {
    const hash = createHash('sha256');
    for (const [task, request] of asked) {
      const given = givenSeries(request.series!, deployment.lookback);
      const ready = prepared(tasks[task], deployment, request, { given, read: [] }, 0);
      const asking = {
        workspace: 'w',
        askedBy: 'x',
        began: 0,
        signal: new AbortController().signal,
        anew: true,
      };
      const { answer } = await make({ remembered: (_, forecast) => forecast }, tasks[task], ready, asking);
      hash.update(JSON.stringify(rounded(answer)));
    }
    const made = hash.digest('hex').slice(0, 16);
    const told = `${CODE_VERSION} makes ${made} now: raise CODE_VERSION, and put this here beside its name`;
    assert.is(MADE[CODE_VERSION], made, told);
  });
});
