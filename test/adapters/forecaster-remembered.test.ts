import * as assert from 'uvu/assert';
import { rememberedForecasts } from '../../adapters/forecaster/remembered.js';
import type { ForecastMany, ForecastSeries } from '../../domain/maths/forecasting/forecaster.js';
import { noiseForecast } from '../domain/maths/forecasting/toys.js';
import { suite } from '../suite.js';

const series = (...values: number[]): ForecastSeries => ({ values: Float64Array.from(values), period: 1 });

/** A forecaster whose answers tell what was asked, and how much was. */
function counted() {
  const asked: string[] = [];
  const forecast: ForecastMany = (many, horizon) => {
    asked.push(...many.map(({ values }) => values.join()));
    return Promise.all(
      many.map(async one => (await noiseForecast(one.values.at(-1)!, 1)([one], horizon))[0]!),
    );
  };
  return { asked, forecast };
}

suite('remembered forecasts', test => {
  test('what was asked before is not asked again, and each series gets its own', async () => {
    const { asked, forecast } = counted();
    const remembering = rememberedForecasts(1_000_000)('m', forecast);
    await remembering([series(1), series(2)], 3);
    const again = await remembering([series(2), series(3), series(1)], 3);
    assert.equal(asked, ['1', '2', '3']);
    assert.equal(again, await forecast([series(2), series(3), series(1)], 3));
  });

  test('another model, period, horizon or value is another forecast', async () => {
    const { asked, forecast } = counted();
    const remembered = rememberedForecasts(1_000_000);
    await remembered('a', forecast)([series(1, 2)], 3);
    await remembered('b', forecast)([series(1, 2)], 3);
    await remembered('a', forecast)([series(1, 2)], 4);
    await remembered('a', forecast)([{ ...series(1, 2), period: 2 }], 3);
    await remembered('a', forecast)([series(1, 2.0000000000000004)], 3);
    await remembered('a', forecast)([series(1, NaN)], 3);
    assert.is(asked.length, 6);
  });

  test('a part of a longer column counts by itself', async () => {
    const { asked, forecast } = counted();
    const remembering = rememberedForecasts(1_000_000)('m', forecast);
    const column = Float64Array.from([1, 2, 3, 1, 2]);
    await remembering([{ values: column.subarray(0, 2), period: 1 }], 3);
    await remembering([{ values: column.subarray(3, 5), period: 1 }], 3);
    assert.equal(asked, ['1,2']);
  });

  test('what was asked for longest ago is forgotten first', async () => {
    const { asked, forecast } = counted();
    // Two forecasts of 9 x 3 numbers fit
    const remembering = rememberedForecasts(1_100)('m', forecast);
    for (const value of [1, 2, 1, 3, 1, 2]) await remembering([series(value)], 3);
    assert.equal(asked, ['1', '2', '3', '2']);
  });
});
