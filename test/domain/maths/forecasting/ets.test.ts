import * as assert from 'uvu/assert';
import { bestOf } from '../../../../domain/maths/forecasting/baselines/ets/index.js';
import { fit } from '../../../../domain/maths/forecasting/baselines/ets/fit.js';
import { ahead } from '../../../../domain/maths/forecasting/baselines/ets/forecast.js';
import { ets } from '../../../../domain/maths/forecasting/baselines/index.js';
import { medians, stepOf } from '../../../../domain/maths/forecasting/quantiles.js';
import { seeded } from '../../../../domain/maths/seeded.js';
import { suite } from '../../../suite.js';
import { close } from './close.js';
import { expectNormal } from './expect.js';
import { accidentalDeaths, airPassengers, nile, ukGas, wwwUsage } from './series.js';

/**
 * R's forecast 8.20: ets(y, form): AICc, the first mean of its forecast, standard deviations at steps 1, 2
 * and the last.
 */
type Known = readonly [
  name: string,
  series: Float64Array,
  period: number,
  aicc: number,
  mean: number[],
  deviations: number[],
  steps: number,
];

const KNOWN: readonly Known[] = [
  ['ANN', nile, 1, 1459.03103999841, [805.3813], [144.2318, 148.5158, 164.540209781731], 6],
  ['MNN', nile, 1, 1458.5519156063, [838.8752], [129.8417, 131.3567, 137.257400405459], 6],
  ['MNN', airPassengers, 1, 1674.07168976361, [431.9958], [46.9506, 66.5906, 269.507398443767], 28],
  ['AAN', airPassengers, 1, 1737.72938759826, [433.6004], [34.0125, 48.101, 180.203193693822], 28],
  ['MAN', ukGas, 4, 1510.41264321165, [672.4144], [249.313, 250.3532, 271.89569641374], 12],
  ['MNM', ukGas, 4, 1286.53576060986, [1198.8817], [169.552, 87.9018, 181.540351572487], 12],
  ['MAM', ukGas, 4, 1256.55829416009, [1258.8236], [146.9301, 76.3114, 197.581161114325], 12],
];

const formOf = (name: string): Parameters<typeof fit>[0] => ({
  error: name[0] as 'A' | 'M',
  trend: name.slice(1, -1) as 'N' | 'A' | 'Ad',
  season: name.at(-1) as 'N' | 'A' | 'M',
});

suite('ets', test => {
  for (const [name, series, period, aicc, means, deviations, steps] of KNOWN) {
    test(`${name} (${series.length} values) is R's`, () => {
      const found = fit(formOf(name), series, period)!;
      const { means: ours, variances } = ahead(found, series.length, steps);
      assert.ok(found.aicc < aicc + 0.01 && found.aicc > aicc - 1, `${found.aicc}`);
      close(ours[0]!, means[0]!, 0.005);
      deviations.forEach((deviation, i) =>
        close(Math.sqrt(variances[i === deviations.length - 1 ? steps - 1 : i]!), deviation, 0.02),
      );
    });
  }

  test('no form is fitted worse than R does it, on a seasonal series', () => {
    const aiccs: Record<string, number> = {
      ANN: 1262.69570028885,
      MNN: 1264.34829352684,
      AAdN: 1269.84480189171,
      ANA: 1148.71609859668,
      MNA: 1150.43056169017,
      AAA: 1157.18320080025,
      MAA: 1155.34548057998,
      AAdA: 1153.91077959197,
      MAdA: 1156.78687861002,
      MNM: 1152.41139460519,
      MAM: 1169.79742157867,
      MAdM: 1153.03138962687,
    };
    for (const [name, aicc] of Object.entries(aiccs))
      assert.ok(fit(formOf(name), accidentalDeaths, 12)!.aicc < aicc + 0.01, name);
  });

  test("the form is chosen by AICc: R's choices", () => {
    const chosen = (
      [
        [nile, 1],
        [wwwUsage, 1],
        [ukGas, 4],
        [accidentalDeaths, 12],
      ] as const
    ).map(([series, period]) => Object.values(bestOf(series, period)!.form).join(''));
    assert.equal(chosen, ['MNN', 'AAdN', 'MAM', 'ANA']);
  });

  test('chosen, fitted and forecast: Nile and WWWusage of R', () => {
    expectNormal(
      ets(nile, 1, 6),
      [838.875161, 838.875161, 838.875161],
      [129.841662, 131.35665, 137.257400405459],
      1e-3,
    );
    expectNormal(ets(wwwUsage, 1, 6), [218.366335, 217.035069, 215.950143, 213.758185607243], null, 2e-3);
  });

  test('a line and a season without error are gone on with', () => {
    const line = Float64Array.from({ length: 30 }, (_, t) => 5 + 2 * t);
    medians(ets(line, 1, 4)).forEach((mean, h) => close(mean, 65 + 2 * h, 1e-3));
    const season = Float64Array.from({ length: 40 }, (_, t) => [3, -1, 4, -6][t % 4]!);
    medians(ets(season, 4, 6)).forEach((mean, h) => close(mean, [3, -1, 4, -6][h % 4]!, 1e-3));
  });

  test('missing values correct nothing, and change a forecast little', () => {
    const whole = medians(ets(airPassengers, 12, 12));
    const gappy = medians(
      ets(
        airPassengers.map((x, t) => (t % 17 === 5 ? NaN : x)),
        12,
        12,
      ),
    );
    gappy.forEach((mean, h) => close(mean, whole[h]!, 0.06));
  });

  test('nothing multiplies where a value is not above 0, and a longer season than 24 is left out', () => {
    assert.is(
      bestOf(
        nile.map(x => x - 900),
        1,
      )!.form.error,
      'A',
    );
    assert.is(bestOf(airPassengers, 25)!.form.season, 'N');
  });

  test('bands of a series whose hours differ a hundredfold stay within what was ever seen', () => {
    const uniform = seeded(7);
    const normal = (): number => Math.sqrt(-2 * Math.log(1 - uniform())) * Math.cos(2 * Math.PI * uniform());
    for (let k = 0; k < 4; k++) {
      let own = 0;
      const hours = Float64Array.from({ length: 500 }, (_, t) => {
        own = 0.8 * own + 0.6 * normal();
        return 100 * Math.exp(1.5 * Math.sin((2 * Math.PI * t) / 24) + own);
      });
      const widest = Math.max(...ets(hours, 24, 48).values);
      assert.ok(widest < 3 * Math.max(...hours), `${widest} of ${Math.max(...hours)}`);
    }
  });

  test('bands of smooth hours stay near what the series changed by, where a line would fan out', () => {
    const uniform = seeded(3);
    const normal = (): number => Math.sqrt(-2 * Math.log(1 - uniform())) * Math.cos(2 * Math.PI * uniform());
    let [pace, level] = [0, 0];
    const hours = Float64Array.from({ length: 300 }, (_, t) => {
      pace = 0.95 * pace + 20 * normal();
      level = 0.98 * level + pace;
      return 7000 + 1500 * Math.sin((2 * Math.PI * t) / 24) + level + 10 * normal();
    });
    assert.is(bestOf(hours, 24)!.form.trend, 'A');
    const { variances } = ahead(bestOf(hours, 24)!, hours.length, 192);
    const range = Math.max(...hours) - Math.min(...hours);
    assert.ok(2.56 * Math.sqrt(variances[191]!) > 5 * range, 'by the model itself');
    const last = stepOf(ets(hours, 24, 192), 191);
    assert.ok(last[8]! - last[0]! < 3 * range, `${last[8]! - last[0]!} of ${range}`);
  });
});
