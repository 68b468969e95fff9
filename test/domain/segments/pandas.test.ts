import { AGGREGATES, ROLLING_FUNCTIONS, type Feature } from '../../../domain/segments/recipe.js';
import { suite } from '../../suite.js';
import {
  assertClose,
  built,
  columnOf,
  feature,
  input,
  pointsOf,
  recipeOf,
  sourcesOf,
  type Values,
} from './given.js';

// What Python makes of the same numbers: pandas 3.1.1, numpy 2.4.6, statsmodels 0.15.0, Python 3.11.7.
// x = pd.Series([...], pd.date_range('2024-01-01', periods=16, freq='D')), z likewise.

const X: Values = [3.1, -1.2, 4.7, null, 5.9, 2.65, 5.3, 5.8, null, null, 9.7, 9.32, 3.84, 6.26, 4.33, 8.3];
const Z: Values = [2, 0, -1.5, 4, 5, null, 7, 8, 1, 2, 3, 4, 0.5, 6, 7, 8];
const signals = { y: pointsOf(X.map(() => 1)), x: pointsOf(X), z: pointsOf(Z) };
const inputs = [input('x'), input('z')];

const made = async (of: Feature): Promise<Values> =>
  columnOf(await built(recipeOf({ inputs, features: [of] }), sourcesOf({ signals })), of.name);

suite('features are those of pandas', test => {
  test('x.shift(2), x.diff(3)', async () => {
    assertClose(await made(feature('f', 'lag', { column: 'x', steps: 2 })), [null, null, ...X.slice(0, 14)]);
    assertClose(await made(feature('f', 'diff', { column: 'x', steps: 3 })), [
      ...[null, null, null, null, 7.1000000000000005, -2.0500000000000003, null, -0.10000000000000053],
      ...[null, null, 3.8999999999999995, null, null, -3.4399999999999995, -4.99, 4.460000000000001],
    ]);
  });

  const rolling: Readonly<Record<(typeof ROLLING_FUNCTIONS)[number], Values>> = {
    mean: [null, null, null, 1.125, 1.875, null, null, null, null, 4.5, 3.5, 2.5, 2.375, 3.375, 4.375, 5.375],
    sum: [null, null, null, 4.5, 7.5, null, null, null, null, 18, 14, 10, 9.5, 13.5, 17.5, 21.5],
    std: [
      ...[null, null, null, 2.3935677693908453, 3.1191612120354835, null, null, null, null],
      ...[3.5118845842842465, 3.109126351029605, 1.290994448735806, 1.49303940559741, 2.2867371223353743],
      ...[2.8686524130097513, 3.3509948771471834],
    ],
    min: [null, null, null, -1.5, -1.5, null, null, null, null, 1, 1, 1, 0.5, 0.5, 0.5, 0.5],
    max: [null, null, null, 4, 5, null, null, null, null, 8, 8, 4, 4, 6, 7, 8],
    median: [null, null, null, 1, 2, null, null, null, null, 4.5, 2.5, 2.5, 2.5, 3.5, 5, 6.5],
  };
  for (const fn of ROLLING_FUNCTIONS)
    test(`z.rolling(4).${fn}()`, async () =>
      assertClose(await made(feature('f', 'rolling', { column: 'z', window: 4, fn })), rolling[fn]));

  test('x.rolling(3).std(), median()', async () => {
    assertClose(await made(feature('f', 'rolling', { column: 'x', window: 3, fn: 'std' })), [
      ...[
        null,
        null,
        3.0512292604784714,
        null,
        null,
        null,
        1.7294025943467686,
        1.6928772351630619,
        null,
        null,
      ],
      ...[null, null, 3.279085238294363, 2.746221646796437, 1.279413928328124, 1.9852539719978737],
    ]);
    assertClose(await made(feature('f', 'rolling', { column: 'x', window: 3, fn: 'median' })), [
      ...[null, null, 3.1, null, null, null, 5.3, 5.3, null, null, null, null, 9.32, 6.26, 4.33, 6.26],
    ]);
  });

  test('x.ewm(alpha=0.3, adjust=False).mean().where(x.notna())', async () =>
    assertClose(await made(feature('f', 'ewm', { column: 'x', alpha: 0.3 })), [
      ...[3.1, 1.81, 2.6769999999999996, null, 3.900924050632911, 3.5256468354430375, 4.0579527848101264],
      ...[4.580566949367088, null, null, 6.969104920113392, 7.674373444079373, 6.524061410855561],
      ...[6.444842987598892, 5.810390091319224, 6.557273063923457],
    ]));

  test('(x / z).replace([inf, -inf], nan), x * z', async () => {
    assertClose(await made(feature('f', 'ratio', { numerator: 'x', denominator: 'z' })), [
      ...[
        1.55,
        null,
        -3.1333333333333333,
        null,
        1.1800000000000002,
        null,
        0.7571428571428571,
        0.725,
        null,
        null,
      ],
      ...[3.233333333333333, 2.33, 7.68, 1.0433333333333332, 0.6185714285714285, 1.0375],
    ]);
    assertClose(await made(feature('f', 'interaction', { columns: ['x', 'z'] })), [
      ...[6.2, 0, -7.050000000000001, null, 29.5, null, 37.1, 46.4, null, null, 29.099999999999998, 37.28],
      ...[1.92, 37.56, 30.310000000000002, 66.4],
    ]);
  });

  test('np.log(x.abs()) + z.shift(2) * 2 - np.minimum(x, z)', async () =>
    assertClose(
      await made(feature('f', 'expression', { expression: 'log(abs(x)) + lag(z, 2) * 2 - min(x, z)' })),
      [
        ...[
          null,
          null,
          7.0475625087160125,
          null,
          -6.225047649088326,
          null,
          6.367706820558076,
          null,
          null,
          null,
        ],
        ...[1.272125885509337, 2.2321626286975, 6.845472366599635, 3.8341801851120074, -1.8644324579856013],
        6.116255514802553,
      ],
    ));

  test('index.day_of_week, day, month', async () => {
    assertClose(await made(feature('f', 'calendar', { part: 'day_of_week' })), [
      ...[0, 1, 2, 3, 4, 5, 6, 0, 1, 2, 3, 4, 5, 6, 0, 1],
    ]);
    assertClose(
      await made(feature('f', 'calendar', { part: 'day' })),
      X.map((_, i) => i + 1),
    );
    assertClose(
      await made(feature('f', 'calendar', { part: 'month' })),
      X.map(() => 1),
    );
  });

  test('statsmodels Fourier(period=28, order=2) of steps of six hours from 1970-01-01', async () => {
    const y = pointsOf([1, 1, 1, 1, 1, 1], 0, 6 * 3_600_000);
    const recipe = recipeOf({
      step_s: 21_600,
      features: [feature('week', 'fourier', { period_s: 604_800, order: 2 })],
    });
    const table = await built(recipe, sourcesOf({ signals: { y } }));
    const expected = {
      week_sin1: [
        0, 0.2225209339563144, 0.4338837391175581, 0.6234898018587335, 0.7818314824680298, 0.9009688679024191,
      ],
      week_cos1: [
        1, 0.9749279121818236, 0.9009688679024191, 0.7818314824680298, 0.6234898018587336, 0.4338837391175582,
      ],
      week_sin2: [
        0, 0.4338837391175581, 0.7818314824680298, 0.9749279121818236, 0.9749279121818236, 0.7818314824680299,
      ],
      week_cos2: [
        ...[1, 0.9009688679024191, 0.6234898018587336, 0.22252093395631445],
        ...[-0.22252093395631434, -0.6234898018587335],
      ],
    };
    for (const [name, values] of Object.entries(expected)) assertClose(columnOf(table, name), values, name);
  });
});

suite('holes are filled as pandas fills them', test => {
  const filled = async (
    method: 'ffill' | 'linear' | 'seasonal' | 'zero',
    max_gap_steps: number,
  ): Promise<Values> =>
    columnOf(await built(recipeOf({ inputs, fill: { method, max_gap_steps } }), sourcesOf({ signals })), 'x');

  test('x.ffill(limit=2), x.ffill(limit=1)', async () => {
    const carried = [3.1, -1.2, 4.7, 4.7, 5.9, 2.65, 5.3, 5.8, 5.8, 5.8, 9.7, 9.32, 3.84, 6.26, 4.33, 8.3];
    assertClose(await filled('ffill', 2), carried);
    assertClose(
      await filled('ffill', 1),
      carried.map((value, i) => (i === 9 ? null : value)),
    );
  });

  test("x.interpolate('linear', limit_area='inside'), longer gaps left open", async () => {
    const lines = [
      3.1,
      -1.2,
      4.7,
      5.300000000000001,
      5.9,
      2.65,
      5.3,
      5.8,
      7.1,
      8.399999999999999,
      ...X.slice(10),
    ];
    assertClose(await filled('linear', 2), lines);
    assertClose(
      await filled('linear', 1),
      lines.map((value, i) => (i === 8 || i === 9 ? null : value!)),
    );
  });

  test('x.fillna(0), x.fillna(x.shift(7))', async () => {
    assertClose(
      await filled('zero', 2),
      X.map(value => value ?? 0),
    );
    assertClose(
      await filled('seasonal', 2),
      X.map((value, i) => value ?? X[i - 7] ?? null),
    );
  });
});

suite('points are brought to steps as pandas resamples them', test => {
  const at = (day: number, hour: number, minute = 0, second = 0): number =>
    Date.UTC(2024, 0, day, hour, minute, second);
  const y = [
    { time: at(1, 0), value: 1.5 },
    { time: at(1, 6, 30), value: 2.25 },
    { time: at(1, 23, 59, 59), value: -7.1 },
    { time: at(2, 12), value: 3.3 },
    { time: at(4, 0), value: 10.01 },
    { time: at(4, 18), value: 0.02 },
  ];
  const expected: Readonly<Record<(typeof AGGREGATES)[number], Values>> = {
    mean: [-1.1166666666666665, 3.3, null, 5.015],
    sum: [-3.3499999999999996, 3.3, null, 10.03],
    last: [-7.1, 3.3, null, 0.02],
    min: [-7.1, 3.3, null, 0.02],
    max: [2.25, 3.3, null, 10.01],
  };
  for (const aggregate of AGGREGATES)
    test(`p.resample('D').${aggregate}(${aggregate === 'sum' ? 'min_count=1' : ''})`, async () => {
      const table = await built(recipeOf({ aggregate }), sourcesOf({ signals: { y } }));
      assertClose(columnOf(table, 'y'), expected[aggregate]);
    });
});

suite('events are counted as pandas counts them', test => {
  const at = (day: number, hour: number): number => Date.UTC(2024, 0, day, hour);
  const news = [
    { time: at(1, 3), value: 2 },
    { time: at(1, 20), value: NaN },
    { time: at(3, 0), value: -1 },
    { time: at(3, 12), value: 4 },
  ];
  const sources = sourcesOf({ signals: { y: pointsOf([1, 1, 1, 1]) }, events: { news } });
  const encoded = async (encoding: 'count' | 'value' | 'decay'): Promise<Values> => {
    const stream = { stream: 'news', encoding, half_life_s: 36 * 3_600 };
    return columnOf(await built(recipeOf({ event_streams: [stream] }), sources), `news:${encoding}`);
  };

  test("e.resample('D').size(), .sum(); 0 where there is none", async () => {
    assertClose(await encoded('count'), [2, 0, 2, 0]);
    assertClose(await encoded('value'), [2, 0, 3, 0]);
  });

  test('sum(0.5 ** ((end - t) / pd.Timedelta(hours=36)) for t in e.index if t < end)', async () =>
    assertClose(await encoded('decay'), [
      ...[1.5932946393723078, 1.0037127274149156, 2.0559604475902598, 1.2951739228351267],
    ]));
});
