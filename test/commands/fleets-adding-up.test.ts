import * as assert from 'uvu/assert';
import { addedUp } from '../../commands/fleets/adding-up.js';
import type { Method } from '../../domain/fleets/settings.js';
import type { Leaf } from '../../domain/fleets/window.js';
import { TookTooLong } from '../../domain/maths/compute.js';
import { fixed } from '../../domain/maths/series/grid.js';
import { tasks } from '../../domain/maths/tasks.js';
import { HOUR } from '../../domain/time.js';
import { suite } from '../suite.js';

const PAST = 60;
const AHEAD = 3;
const leaf = (entity: string, level: number): Leaf => {
  const mean = Array.from({ length: AHEAD }, (_, h) => level + h);
  const times = mean.map((_, h) => (PAST + h) * HOUR);
  return {
    ...{ entity, goalId: `goa_${entity}`, settings: { target: entity, stepS: 3_600, timezone: 'UTC' } },
    issued: {
      ...{ forecastId: `fct_${entity}`, asked: [0.1, 0.9], stepS: 3_600, period: 24 },
      points: { times, mean, levels: [0.1, 0.5, 0.9], quantiles: [mean, mean, mean] },
    },
  };
};
const leaves = [leaf('a-1', 10), leaf('a-2', 20), leaf('b-1', 30)];
const levels = [{ name: 'group', groupBy: { prefix: 1 } }];

/** Adds up with sums that are forecast as 100; `run` does what is asked of the pool. */
async function adding(method: Method, run: (task: 'reconcile' | 'shrunkWeights', input: never) => unknown) {
  const asked: string[] = [];
  const deps = {
    targetOf: async (_: string, { target }: { target: string }) => ({
      series: {
        ...{ id: target, start: 0, step: fixed(HOUR), period: null, covariates: {} },
        values: Float64Array.from({ length: PAST }, (__, i) => target.charCodeAt(0) + ((i * 7) % 5)),
      },
      ...{ cutoff: (PAST - 1) * HOUR, read: null, upTo: 1 },
    }),
    forecastBy: async (_: string, __: object, series: readonly object[], { horizon }: { horizon: number }) =>
      series.map((___, i) => {
        const values = new Float64Array(horizon).fill(100 - i);
        return { mean: values, period: 24, quantiles: [0.1, 0.5, 0.9].map(level => ({ level, values })) };
      }),
    generalist: async () => null,
    compute: {
      async run(task: 'reconcile' | 'shrunkWeights', input: never) {
        asked.push(task);
        return run(task, structuredClone(input));
      },
    },
  } as never;
  const settings = { reconciliation: { method, levels } } as never;
  const made = (await addedUp(deps, 'w', settings, leaves, new AbortController().signal))!;
  return { made, asked };
}
const atOnce = (task: 'reconcile' | 'shrunkWeights', input: never): unknown => tasks[task](input);

suite('forecasts of a fleet that add up', test => {
  test('are solved in the pool, and add up', async () => {
    for (const [method, wanted] of [
      ['ols', ['reconcile']],
      ['wls_struct', ['reconcile']],
      ['mint_shrink', ['shrunkWeights', 'reconcile']],
      ['top_down', []],
      ['bottom_up', []],
    ] as const) {
      const { made, asked } = await adding(method, atOnce);
      assert.equal([asked, made.method], [wanted, method]);
      const [total, a, b, ...entities] = made.nodes.map(({ mean }) => mean[0]!);
      assert.is(a! + b!, total);
      assert.is(
        entities.reduce((sum, mean) => sum + mean, 0),
        total,
      );
      if (method !== 'bottom_up')
        assert.ok(total! > 61, `${method}: the total moved towards its own forecast`);
    }
  });

  test('are added up from the bottom where that takes too long', async () => {
    const { made } = await adding('ols', () => Promise.reject(new TookTooLong(1)));
    assert.equal([made.method, made.nodes[0]!.mean[0], made.model], ['bottom_up', 60, null]);
    assert.equal(
      made.warnings.map(({ code }) => code),
      ['sums_too_many'],
    );
    const failed = await adding('ols', () => Promise.reject(new Error('ours'))).catch(
      (error: unknown) => error,
    );
    assert.is((failed as Error).message, 'ours');
  });
});
