import * as assert from 'uvu/assert';
import { fitNormalization, normalised, type ColumnParams } from '../../../domain/segments/normalisation.js';
import type { TableReader } from '../../../domain/segments/ports.js';
import { foldsOf } from '../../../domain/segments/splits.js';
import type { Normalization } from '../../../domain/segments/recipe.js';
import { suite } from '../../suite.js';
import { built, input, pointsOf, recipeOf, sourcesOf, type Table } from './given.js';

// scikit-learn 1.9.1, numpy 2.4.6: TimeSeriesSplit(n_splits=3, test_size=3, gap=2) of x, and each scaler's
// fit on
// the training part.

const X = [3.1, -1.2, 4.7, null, 5.9, 2.65, 5.3, 5.8, null, null, 9.7, 9.32, 3.84, 6.26, 4.33, 8.3];
const DAY = 86_400_000;
const START = Date.UTC(2024, 0, 1);
const split = { method: 'rolling_origin', folds: 3, horizon: 3, gap: 2 } as const;
const recipe = (normalization: Normalization) =>
  recipeOf({ inputs: [input('x'), input('flat')], split, normalization });
const signals = { y: pointsOf(X.map((_, i) => i)), x: pointsOf(X), flat: pointsOf(X.map(() => 7)) };

/** Reads rows that were built, in short blocks. */
const reader = (table: Table): TableReader =>
  async function* (columns) {
    for (let row = 0; row < table.rows.length; ) {
      const entity = (table.rows[row]!['entity'] ?? null) as string | null;
      const rows = table.rows.slice(row, row + 5).filter(each => (each['entity'] ?? null) === entity);
      yield {
        ...{ entity, row, isAhead: false },
        times: Float64Array.from(rows, each => each['ts'] as number),
        columns: columns.map(name => Float64Array.from(rows, each => (each[name] ?? NaN) as number)),
      };
      row += rows.length;
    }
  };

async function fitted(
  normalization: Normalization,
  known = signals,
  mode: 'single' | 'per_entity' = 'single',
) {
  const own = { ...recipe(normalization), entity_mode: mode };
  const table = await built(own, sourcesOf({ signals: known }));
  return fitNormalization(own, table, reader(table));
}

const assertClose = (got: ArrayLike<number>, expected: readonly number[]): void => {
  assert.is(got.length, expected.length);
  expected.forEach((value, i) =>
    assert.ok(
      Math.abs(got[i]! - value) <= 1e-12 || (Number.isNaN(value) && Number.isNaN(got[i]!)),
      `${got[i]}, not ${value}`,
    ),
  );
};

suite('folds', test => {
  test('are those of TimeSeriesSplit', async () => {
    const own = recipe({ method: 'none', scope: 'global' });
    const { span } = await built(own, sourcesOf({ signals }));
    const folds = foldsOf(own, span).map(({ train, test: tested }) =>
      [train, tested].map(({ from, to }) => [(from - START) / DAY, (to - START) / DAY]),
    );
    assert.equal(folds, [
      [
        [0, 5],
        [7, 10],
      ],
      [
        [0, 8],
        [10, 13],
      ],
      [
        [0, 11],
        [13, 16],
      ],
    ]);
    assert.equal(foldsOf(own, span)[0]!.train.steps, 5);
  });
});

suite('normalisation', test => {
  const expected = {
    zscore: [
      { mean: 3.125, std: 2.6873546472321066 },
      { mean: 3.75, std: 2.338039471743061 },
      { mean: 4.49375, std: 2.9419846086443076 },
    ],
    minmax: [
      { min: -1.2, max: 5.9 },
      { min: -1.2, max: 5.9 },
      { min: -1.2, max: 9.7 },
    ],
    robust: [
      { median: 3.9000000000000004, iqr: 2.9749999999999996 },
      { median: 4.7, iqr: 2.675 },
      { median: 5, iqr: 2.8375000000000004 },
    ],
  };
  for (const [method, folds] of Object.entries(expected))
    test(`${method} is fitted on the training part of each fold, as scikit-learn does`, async () => {
      const fit = await fitted({ method: method as keyof typeof expected, scope: 'global' });
      folds.forEach((params, k) =>
        assertClose(
          Object.values((fit.folds[k]!.params as ColumnParams)['x']!) as number[],
          Object.values(params),
        ),
      );
      assert.equal(
        fit.folds.map(({ fitted_on: { from, to } }) => [(from - START) / DAY, (to - START) / DAY]),
        [
          [0, 5],
          [0, 8],
          [0, 11],
        ],
      );
      assert.equal(fit.params, fit.folds[2]!.params);
      assert.equal(fit.fitted_on, fit.folds[2]!.fitted_on);
    });

  test('values are given on as scikit-learn and numpy transform them', async () => {
    const x = Float64Array.from(X.slice(0, 5), value => value ?? NaN);
    const of = async (method: 'zscore' | 'minmax' | 'robust'): Promise<Float64Array> => {
      const { params } = await fitted({ method, scope: 'global' });
      return normalised(method, (params as ColumnParams)['x'], x);
    };
    assertClose(await of('zscore'), [
      -0.47374483058300315,
      -1.9353432316641965,
      0.07010573726116183,
      NaN,
      0.4779936631442856,
    ]);
    assertClose(await of('minmax'), [0.3944954128440367, 0, 0.5412844036697249, NaN, 0.6513761467889909]);
    assertClose(await of('robust'), [
      -0.6696035242290748,
      -2.1850220264317177,
      -0.10572687224669595,
      NaN,
      0.3171806167400882,
    ]);
    const z = Float64Array.of(2, 0, -1.5, 4, 5);
    assertClose(
      normalised('asinh', undefined, z),
      [1.4436354751788103, 0, -1.1947632172871094, 2.0947125472611012, 2.3124383412727525],
    );
    assertClose(
      normalised('log1p', undefined, z.map(Math.abs)),
      [1.0986122886681098, 0, 0.9162907318741551, 1.6094379124341003, 1.791759469228055],
    );
    assert.equal(normalised('none', undefined, z), z);
  });

  test('what never changed becomes 0', async () => {
    for (const method of ['zscore', 'minmax', 'robust'] as const) {
      const { params } = await fitted({ method, scope: 'global' });
      const flat = normalised(method, (params as ColumnParams)['flat'], Float64Array.of(7, NaN, 9));
      assert.equal([...flat], [0, NaN, 0]);
    }
  });

  test('what has no value in the training part has no parameters', async () => {
    const known = { ...signals, x: pointsOf(X.map((value, i) => (i < 12 ? null : value))) };
    const { folds } = await fitted({ method: 'zscore', scope: 'global' }, known);
    assert.equal((folds[0]!.params as ColumnParams)['x'], { mean: null, std: null });
  });

  test('by entity, and of all entities together', async () => {
    const known = { y__b: pointsOf(X.map((_, i) => 10 * i)), y__a: pointsOf(X.map((_, i) => i)), ...signals };
    const own = await fitted({ method: 'minmax', scope: 'per_entity' }, known, 'per_entity');
    const of = (entity: string) => (own.params as Record<string, ColumnParams>)[entity]!['y'];
    assert.equal(
      [of('a'), of('b')],
      [
        { min: 0, max: 10 },
        { min: 0, max: 100 },
      ],
    );
    for (const method of ['minmax', 'robust'] as const) {
      const { params } = await fitted({ method, scope: 'global' }, known, 'per_entity');
      // np.percentile(list(range(11)) + list(range(0, 110, 10)), [25, 50, 75]) is 4.25, 9.5, 47.5
      const together = { minmax: { min: 0, max: 100 }, robust: { median: 9.5, iqr: 43.25 } };
      assert.equal((params as ColumnParams)['y'], together[method]);
    }
  });

  test('methods that learn nothing have folds without parameters', async () => {
    const nothing = await fitted({ method: 'none', scope: 'global' });
    assert.equal([nothing.folds, nothing.params, nothing.fitted_on], [[], {}, null]);
    for (const normalization of [
      { method: 'log1p', scope: 'global' },
      { method: 'zscore', scope: 'per_window' },
    ] as const) {
      const fit = await fitted(normalization);
      assert.equal(
        fit.folds.map(({ params }) => params),
        [{}, {}, {}],
      );
    }
  });
});
