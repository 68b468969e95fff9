import * as assert from 'uvu/assert';
import { openFamily } from '../../adapters/forecaster/family.js';
import type { Portion } from '../../adapters/forecaster/portion.js';
import type { LocalPool } from '../../adapters/serving/local.js';
import { atOnce } from '../../adapters/serving/messages.js';
import type { Registry } from '../../adapters/serving/registry.js';
import { sharedPool } from '../../adapters/serving/shared.js';
import type { ForecastSeries } from '../../domain/maths/forecasting/forecaster.js';
import { suite } from '../suite.js';
import { FAMILY_DIR, never } from './forecaster-family.js';
import { nano, path, serving, token } from './serving-processes.js';

const counted = (length: number) => Float64Array.from({ length }, (_, i) => i);

suite('series on their way to workers', test => {
  const step = { ms: 1_000, months: 0 };
  const series: ForecastSeries = {
    ...{ values: counted(60), period: 12, times: { start: 0, step } },
    covariates: { warm: counted(63) },
  };
  const live = { ...path('a'), model: { ...nano, maxContext: 40 } };
  const read: ForecastSeries = {
    ...{ values: counted(60).slice(20), period: 12, times: { start: 20_000, step } },
    covariates: { warm: counted(63).slice(20) },
  };
  /** What the workers of a process are asked for from now on. */
  const heard = (pool: LocalPool): ForecastSeries[] => {
    const all: ForecastSeries[] = [];
    const { forecaster } = pool;
    pool.forecaster = one => ({
      ...forecaster(one),
      async forecast(asked) {
        all.push(...asked);
        return [];
      },
    });
    return all;
  };

  test('keep their times and covariates, of what the model reads, here and in another process', async () => {
    const here = serving();
    try {
      const one = await here.process();
      const all = heard(one.pool);
      const { id, pool } = one;
      const processes = () => [{ id, url: null, threads: 1, ready: {} }];
      const registry = { processes, onRefresh: () => undefined } as unknown as Registry;
      await sharedPool({ registry, local: { id, pool }, token })
        .forecaster(live)
        .forecast([series], 3, never);
      await (await here.asking()).forecaster(live).forecast([series], 3, never);
      assert.equal(all, [read, read]);
    } finally {
      await here.close();
    }
  });

  test('so many go with a request as it has room for, covariates counted', () => {
    const values = counted(4_096);
    assert.is(atOnce([{ values, period: 1 }]), 1_024);
    assert.is(atOnce([{ values, period: 1, covariates: { a: values, b: values, c: values } }]), 256);
  });

  test('go there in portions of so many as the family says, each with its own time', async () => {
    const portions = async (portion?: number): Promise<number[]> => {
      const sizes: number[] = [];
      const workers = () => ({
        async run({ series: some }: Portion) {
          sizes.push(some.length);
          return some.map(() => ({ quantiles: new Float64Array(3), embedding: new Float32Array() }));
        },
        onEach: async () => 0,
        close: async () => undefined,
      });
      const family = openFamily({ threads: 1, dir: FAMILY_DIR, workers, ...(portion && { portion }) });
      await family.forecasters
        .get('nano')!
        .forecast(Array(9).fill({ values: counted(9), period: 1 }), 3, never);
      return sizes;
    };
    assert.equal(await portions(), [8, 1]);
    assert.equal(await portions(1), Array(9).fill(1));
  });
});
