import * as assert from 'uvu/assert';
import { evenly } from '../../../domain/inference/gridded.js';
import { imputeSeries, judgeSeries } from '../../../domain/inference/judged.js';
import { HOUR } from '../../../domain/time.js';
import { suite } from '../../suite.js';
import { normals, seasonalForecast, sine } from '../maths/forecasting/toys.js';

const START = Date.UTC(2026, 0, 1);
const hourly = (values: readonly (number | null)[]) => evenly('x', { start: START, stepMs: HOUR, values });

suite('values judged', test => {
  test('a spike is outside its band, and the band is what judges', async () => {
    const normal = normals(4);
    const values = [...sine(240, 24, () => normal() * 0.3)];
    values[200]! -= 6;
    const series = hourly(values.map((value, i) => (i === 210 ? null : value)));
    const [points] = await judgeSeries([series], { count: 60, level: 0.99 }, seasonalForecast(0.5));
    assert.is(points!.length, 60);
    assert.is(points![0]!.time, START + 180 * HOUR);
    for (const { value, anomaly, score, expected, lower, upper } of points!) {
      if (value === null) {
        assert.equal([anomaly, score, expected], [false, null, null]);
        continue;
      }
      assert.is(anomaly, value < lower! || value > upper!);
      assert.ok(lower! <= expected! && expected! <= upper! && score! >= 0);
    }
    assert.equal([points![20]!.anomaly, points![30]!.value], [true, null]);
  });
});

suite('gaps imputed', test => {
  test('what is known stays, and what is made up lies within its band', async () => {
    const truth = sine(120, 24);
    const series = hourly([...truth].map((value, i) => (i >= 60 && i < 70 ? null : value)));
    const [points] = await imputeSeries([series], 720, seasonalForecast(0.5));
    for (const [i, { time, value, imputed, lower, upper }] of points!.entries()) {
      assert.is(time, START + i * HOUR);
      assert.ok(Math.abs(value! - truth[i]!) < 1e-9);
      assert.is(imputed, i >= 60 && i < 70);
      if (imputed) assert.ok(lower! < value! && value! < upper!);
    }
  });

  test('a gap as long as the horizon stays one', async () => {
    const series = hourly([...sine(60, 12)].map((value, i) => (i >= 30 && i < 40 ? null : value)));
    const [points] = await imputeSeries([series], 10, seasonalForecast(0.5));
    assert.equal(points![35], {
      time: START + 35 * HOUR,
      value: null,
      imputed: false,
      lower: null,
      upper: null,
    });
  });
});
