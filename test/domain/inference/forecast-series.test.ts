import * as assert from 'uvu/assert';
import { filled } from '../../../domain/inference/fill.js';
import { forecastSeries } from '../../../domain/inference/forecast-series.js';
import type { ForecastWanted, InferenceSeries } from '../../../domain/inference/forecasting.js';
import { evenly } from '../../../domain/inference/gridded.js';
import { DAY, HOUR } from '../../../domain/time.js';
import { Rejected } from '../../../domain/rejected.js';
import { suite } from '../../suite.js';
import { seasonalForecast, sine } from '../maths/forecasting/toys.js';

const START = Date.UTC(2026, 0, 1);
const wanted: ForecastWanted = {
  horizon: 30,
  levels: [0.01, 0.1, 0.33, 0.5, 0.9, 0.995],
  fill: 'linear',
  explain: false,
  lookback: 2_048,
};
const hourly = (id: string, values: readonly (number | null)[]): InferenceSeries =>
  evenly(id, { start: START, stepMs: HOUR, values });
const daySeason = (length: number): (number | null)[] => [...sine(length, 24)];
const forecastOf = (series: readonly InferenceSeries[], also: Partial<ForecastWanted> = {}) =>
  forecastSeries(series, { ...wanted, ...also }, seasonalForecast(1));
const refusal = async (work: Promise<unknown>): Promise<Rejected> => {
  const error = await work.then(
    () => null,
    (e: unknown) => e,
  );
  assert.instance(error, Rejected);
  return error as Rejected;
};

suite('gaps filled', test => {
  const holes = Float64Array.from([NaN, 1, NaN, 3, 4, NaN, NaN, 7, 8, NaN]);
  const cases = [
    ['none', [NaN, 1, NaN, 3, 4, NaN, NaN, 7, 8, NaN], 0],
    ['linear', [NaN, 1, 2, 3, 4, 5, 6, 7, 8, NaN], 3],
    ['ffill', [NaN, 1, 1, 3, 4, 4, 4, 7, 8, 8], 4],
    ['seasonal', [NaN, 1, 4, 3, 4, 3, 4, 7, 8, 7], 4],
  ] as const;
  for (const [fill, expected, count] of cases)
    test(fill, () => {
      const made = filled(holes, fill, 2);
      assert.equal([...made.values], [...expected]);
      assert.is(made.filled, count);
    });

  test('seasonal is a line where there is no season', () =>
    assert.equal([...filled(holes, 'seasonal', 1).values], [...filled(holes, 'linear', 1).values]));

  test('a season goes on where a line ends', () =>
    assert.equal(
      [...filled(Float64Array.of(1, 2, 1, 2, NaN, NaN), 'seasonal', 2).values],
      [1, 2, 1, 2, 1, 2],
    ));
});

suite('series forecast', test => {
  test('finds the season, goes on at the next step, and orders its quantiles', async () => {
    const [made] = await forecastOf([hourly('a', daySeason(240))]);
    assert.is(made!.period, 24);
    assert.equal(
      [...made!.times],
      Array.from({ length: 30 }, (_, h) => START + (240 + h) * HOUR),
    );
    const truth = sine(270, 24);
    made!.mean.forEach((value, h) => assert.ok(Math.abs(value - truth[240 + h]!) < 1e-9));
    assert.equal(
      made!.quantiles.map(({ level }) => level),
      wanted.levels,
    );
    for (let h = 0; h < 30; h++)
      for (let k = 1; k < wanted.levels.length; k++)
        assert.ok(made!.quantiles[k]!.values[h]! > made!.quantiles[k - 1]!.values[h]!);
  });

  test('a period that the caller names stands', async () => {
    const [made] = await forecastOf([{ ...hourly('a', daySeason(240)), period: 48 }]);
    assert.is(made!.period, 48);
  });

  test('no more is read than the lookback, and only gaps in it are counted', async () => {
    const values = daySeason(240);
    for (const place of [3, 4, 5, 200, 201]) values[place] = null;
    const [made] = await forecastOf([hourly('a', values)], { lookback: 100 });
    assert.is(made!.lookbackUsed, 100);
    assert.is(made!.filledPoints, 2);
  });

  test('many at once come out as each by itself, to the bit', async () => {
    const many = [
      hourly('a', daySeason(240)),
      evenly('b', { start: START, stepMs: DAY, values: [1, 2, null, 4, 5, 3, 2] }),
      hourly('c', daySeason(100)),
    ];
    const together = await forecastOf(many, { explain: false });
    for (const [i, one] of many.entries()) assert.equal((await forecastOf([one]))[0], together[i]);
  });

  test('says when there is little to go by, and refuses when there is nothing', async () => {
    const codes = async (values: readonly (number | null)[]) =>
      (await forecastOf([hourly('a', values)]))[0]!.warnings.map(({ code }) => code);
    assert.equal(await codes(daySeason(240)), []);
    assert.equal(await codes([1, 2, 3, 2, 1]), ['short_history']);
    assert.equal(await codes([1, null, null, null, 2, null, 3]), ['short_history', 'many_gaps']);
    assert.equal(await codes(new Array<number>(50).fill(7)), ['constant']);
    const { kind, code, details } = await refusal(forecastOf([hourly('a', [1, null, null])]));
    assert.equal(
      [kind, code, details],
      ['unprocessable', 'insufficient_history', { id: 'a', needed: 2, got: 1 }],
    );
  });
});
