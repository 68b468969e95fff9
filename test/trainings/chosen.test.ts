import * as assert from 'uvu/assert';
import { customTraining } from '../../adapters/trainings/custom.js';
import { chosenBy, methodWith } from '../../domain/maths/forecasting/baselines/chosen.js';
import { bestOf } from '../../domain/maths/forecasting/baselines/ets/index.js';
import { arima, ets } from '../../domain/maths/forecasting/baselines/index.js';
import { forecastTrained } from '../../domain/models/forecast-trained.js';
import { localModelOf } from '../../domain/trainings/custom/local.js';
import type { TrainingTable } from '../../domain/trainings/ports.js';
import { seriesOf, tableOf, weekly } from '../domain/trainings/made-table.js';
import { suite } from '../suite.js';

const trained = async (table: TrainingTable, algorithm: 'ets' | 'arima') => {
  const { made } = await customTraining('')(
    table,
    {
      what: { kind: 'custom', recipe: { algorithm, hyperparameters: {} } },
      ...{ horizon: 7, lookback: null, seed: 1, metric: 'mase', against: null },
    },
    () => {},
  );
  return made!.model!;
};
const rising = weekly(1, 120).map((value, t) => value + 3 * t);
const wandering = (): Float64Array => {
  let level = 0;
  const steps = weekly(2, 120);
  return steps.map((step, t) => {
    level += step - (steps[t - 7] ?? step);
    return level - 500;
  });
};
const all = [rising, wandering()];
const table = tableOf(
  all.map((values, i) => seriesOf(values, String(i))),
  { folds: 1 },
);

suite('what a training chose', test => {
  const bare = { ets, arima };
  for (const algorithm of ['ets', 'arima'] as const)
    test(`${algorithm} is not chosen anew, and answers for its own series as before`, async () => {
      const model = await trained(table, algorithm);
      const { forms, orders } = model.plan as Record<string, readonly object[]>;
      const kept = (forms ?? orders)!;
      assert.ok(kept.length >= 1 && kept.length <= 2, `${kept.length} of two series`);
      for (const values of all) {
        const served = await forecastTrained(model, { values, period: 7 }, 7, null);
        assert.equal(served, bare[algorithm](values, 7, 7));
      }
    });

  test('a training that kept none is asked as ever', async () => {
    for (const algorithm of ['ets', 'arima'] as const) {
      const recipe = { algorithm, hyperparameters: {} };
      const model = localModelOf({ recipe, horizon: 7, lookback: null });
      const served = await forecastTrained(model, { values: rising, period: 7 }, 7, null);
      assert.equal(served, bare[algorithm](rising, 7, 7));
    }
  });

  test('other series take the nearest form that they may have', () => {
    const form = { error: 'M', trend: 'Ad', season: 'M' } as const;
    const taken = (values: Float64Array, period: number) =>
      Object.values(bestOf(values, period, [form])!.form).join('');
    assert.is(taken(rising, 7), 'MAdM');
    assert.is(taken(rising, 1), 'MAdN');
    assert.is(
      taken(
        rising.map(value => value - 300),
        7,
      ),
      'AAdA',
    );
    const short = Float64Array.of(1, 2, 3, 4, 6);
    assert.equal(methodWith('ets', { forms: [form] })!(short, 1, 3), ets(short, 1, 3), 'in any form');
  });

  test('orders go no further than a series is long', () => {
    const orders = [{ p: 5, q: 5, P: 2, Q: 2, constant: true }];
    const short = rising.subarray(0, 12);
    const { values } = methodWith('arima', { orders })!(short, 7, 3);
    assert.ok(values.every(Number.isFinite));
  });

  test('of many series three at most, those that most took', () => {
    const many = [...Array.from({ length: 4 }, () => rising), ...all, new Float64Array(9).fill(NaN)];
    const { forms } = chosenBy('ets', many, 7);
    assert.equal(forms![0], bestOf(rising, 7)!.form);
    assert.ok(forms!.length <= 3);
    assert.equal(chosenBy('theta', many, 7), {});
  });
});
