import * as assert from 'uvu/assert';
import { slugsIn } from '../../adapters/forecaster/files.js';
import { openFamily, type Family } from '../../adapters/forecaster/family.js';
import { anomalies } from '../../domain/maths/forecasting/anomaly.js';
import { ridgeClassifier } from '../../domain/maths/forecasting/classify.js';
import {
  forecastManyOf,
  type Forecaster,
  type ForecastSeries,
} from '../../domain/maths/forecasting/forecaster.js';
import { impute } from '../../domain/maths/forecasting/imputation/impute.js';
import { LEVELS, stepOf } from '../../domain/maths/forecasting/quantiles.js';
import { randomOf } from '../random.js';
import { skipped, suite } from '../suite.js';
import { bitsOf, failure, FAMILY_DIR, manySeries, never, NO_MODEL } from './forecaster-family.js';

if (NO_MODEL) skipped('forecaster', NO_MODEL);
else
  for (const slug of slugsIn(FAMILY_DIR))
    suite(`forecaster ${slug}`, test => {
      const series = manySeries(36);
      const HORIZON = 20;
      let family: Family;
      let forecaster: Forecaster;
      test.before(() => {
        family = openFamily({ threads: 2, dir: FAMILY_DIR });
        forecaster = family.forecasters.get(slug)!;
      });
      test.after(() => family.close());
      const bits = async (asked: readonly ForecastSeries[], of = forecaster): Promise<string[]> =>
        (await of.forecast(asked, HORIZON, never)).map(bitsOf);

      test('nine ascending quantiles for each step of a series, in its unit, and an embedding', async () => {
        const forecasts = await forecaster.forecast(series, HORIZON, never);
        const width = forecasts[0]!.embedding.length;
        assert.is(forecasts.length, series.length);
        for (const { quantiles, embedding } of forecasts) {
          assert.equal(
            [quantiles.horizon, quantiles.levels, quantiles.values.length],
            [HORIZON, LEVELS, HORIZON * 9],
          );
          assert.ok(width > 0 && embedding.length === width && embedding.every(Number.isFinite));
          for (let h = 0; h < HORIZON; h++)
            stepOf(quantiles, h).forEach((x, k, row) => assert.ok(k === 0 || x >= row[k - 1]!));
        }
      });

      test('the same bits in any company, order and portion, again, and after a new start', async () => {
        const together = await bits(series);
        const reversed = await bits([...series].reverse());
        assert.equal(reversed.reverse(), together);
        const alone = openFamily({ threads: 1, dir: FAMILY_DIR });
        try {
          const single = alone.forecasters.get(slug)!;
          for (const [i, one] of series.entries())
            assert.equal(await bits([one], single), [together[i]], `series ${i}`);
        } finally {
          await alone.close();
        }
        const random = randomOf(3);
        const someOf = (): number[] =>
          Array.from({ length: 1 + random.below(20) }, () => random.below(series.length));
        const calls = Array.from({ length: 12 }, someOf);
        const answers = await Promise.all(calls.map(places => bits(places.map(place => series[place]!))));
        answers.forEach((answer, n) =>
          assert.equal(
            answer,
            calls[n]!.map(place => together[place]),
          ),
        );
      });

      test('the first steps do not depend on how far is asked', async () => {
        const some = series.slice(0, 18);
        const near = await forecaster.forecast(some, 5, never);
        const far = await forecaster.forecast(some, 720, never);
        near.forEach(({ quantiles }, i) =>
          assert.equal(quantiles.values, far[i]!.quantiles.values.slice(0, 45), `series ${i}`),
        );
      });

      test('only the newest values within the cap count, and a view is as good as an array', async () => {
        const { context } = forecaster.caps;
        const long = Float64Array.from({ length: context + 500 }, (_, i) =>
          i < 500 ? 1e6 * i : Math.sin(i),
        );
        const answers = await bits(
          [long, long.slice(-context), long.subarray(500)].map(values => ({ values, period: 7 })),
        );
        assert.equal(new Set(answers).size, 1);
      });

      test('what cannot be forecast is refused by its place, and with it the whole call', async () => {
        const good = series[9]!;
        const { horizon } = forecaster.caps;
        const refusal = async (asked: readonly ForecastSeries[], steps = HORIZON): Promise<string> =>
          (await failure(forecaster.forecast(asked, steps, never))).message;
        for (const [values, period, message] of [
          [[], 1, /Series 2 .* has no values/],
          [[NaN, NaN], 1, /Series 2 .* none of its newest 2 values is known/],
          [[1, -Infinity, 3], 1, /Series 2 .* value -2 from its end is infinite/],
          [[1, 2], 0, /Series 2 .* period .* not 0/],
          [[1, 2], 1.5, /Series 2 .* not 1.5/],
          [[1e308, -1e308, 1e308], 1, /Series 2 .* so large/],
        ] as const)
          assert.match(
            await refusal([good, good, { values: Float64Array.from(values), period }, good]),
            message,
          );
        for (const steps of [0, -1, horizon + 1, 1.5, NaN])
          assert.match(await refusal([good], steps), /whole number from 1 to/);
        const [answer] = await bits([good]);
        assert.is(answer, (await bits(series))[9]);
      });

      test('version, caps and tasks are those of the manifest; nothing asked, nothing answered', async () => {
        assert.match(forecaster.version, /^[0-9a-f]{12}$/);
        assert.ok(
          forecaster.caps.context >= 512
            && forecaster.caps.horizon >= 128
            && forecaster.tasks.includes('forecast'),
        );
        assert.equal(await forecaster.forecast([], 10, never), []);
      });

      test("a sine's gap is filled, a spike in it found, and its kind told by the embedding", async () => {
        const many = forecastManyOf(forecaster, never);
        const truth = Float64Array.from(
          { length: 300 },
          (_, i) => 50 + 10 * Math.sin((2 * Math.PI * i) / 12),
        );
        const holed = truth.slice().fill(NaN, 200, 215);
        const { values } = await impute({ values: holed, period: 12 }, 720, many);
        values.forEach((value, i) =>
          assert.ok(Math.abs(value - truth[i]!) < 2, `value ${i}: ${value}, not ${truth[i]}`),
        );
        const random = randomOf(1);
        const spiked = truth.map((x, i) => x + random.next() + (i === 250 ? 20 : 0));
        const { score, from } = await anomalies(
          { values: spiked, period: 12 },
          { from: 200, steps: 1, level: 0.999 },
          many,
        );
        assert.is(score.indexOf(Math.max(...score.map(Math.abs))) + from, 250);
        const examples = await forecaster.forecast(
          Array.from({ length: 60 }, (_, n) => ({
            values: Float64Array.from(
              { length: 120 },
              (_, i) => random.next() + (n % 2 ? 0 : 5 * Math.sin(i / 3 + n)),
            ),
            period: 1,
          })),
          1,
          never,
        );
        const { accuracy } = ridgeClassifier(
          examples.map(({ embedding }, n) => ({ embedding, label: n % 2 ? 'noise' : 'wave' })),
        );
        assert.ok(accuracy > 0.9, `${accuracy}`);
      });
    });
