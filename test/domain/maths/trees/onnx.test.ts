import { InferenceSession, Tensor } from 'onnxruntime-node';
import * as assert from 'uvu/assert';
import { seeded } from '../../../../domain/maths/seeded.js';
import {
  DEFAULT_TREES,
  fitQuantileTrees,
  fitTrees,
  predictQuantiles,
  predictTrees,
  treesOnnx,
  type Columns,
  type TreesOptions,
} from '../../../../domain/maths/trees/index.js';
import { SESSION_OPTIONS } from '../../../../adapters/onnx.js';
import { suite } from '../../../suite.js';
import { parted, tables } from './tables.js';

const options: TreesOptions = { ...DEFAULT_TREES, trees: 60, minLeafRows: 5 };
const run = { random: seeded(1) };

async function ran(bytes: Uint8Array, columns: Columns): Promise<Float32Array> {
  const session = await InferenceSession.create(bytes, SESSION_OPTIONS);
  const rows = columns[0]!.length;
  const x = new Float32Array(rows * columns.length);
  columns.forEach((column, j) => column.forEach((value, row) => (x[row * columns.length + j] = value)));
  const { y } = await session.run({ x: new Tensor('float32', x, [rows, columns.length]) });
  await session.release();
  return y!.data as Float32Array;
}

const expectNear = (theirs: Float32Array, ours: Float64Array): void => {
  const largest = ours.reduce((most, value) => Math.max(most, Math.abs(value)), 1);
  assert.is(theirs.length, ours.length);
  ours.forEach((value, i) =>
    assert.ok(Math.abs(theirs[i]! - value) <= 1e-6 * largest, `${theirs[i]} is ${value}`),
  );
};

suite('trees as ONNX', test => {
  for (const [name, table] of Object.entries(tables))
    test(`${name}: onnxruntime predicts the same, missing values too`, async () => {
      const { training, test: rest } = parted(table);
      const { model } = fitTrees(training.columns, training.target, { kind: 'squared' }, options, run);
      // At the thresholds themselves, and with each value missing once
      const at = rest.columns.map((column, j) =>
        column.map((value, row) => (row % 7 === j ? NaN : (thresholdOf(model.trees, j, row) ?? value))),
      );
      for (const columns of [rest.columns, at])
        expectNear(await ran(treesOnnx([model]), columns), predictTrees(model, columns));
    });

  test('several quantiles come in order, also of a model without trees', async () => {
    const { training, test: rest } = parted(tables['missing']!);
    const fitted = fitQuantileTrees(training.columns, training.target, [0.1, 0.5, 0.9], options, run);
    const flat = { features: 4, base: 2, trees: [] };
    for (const models of [fitted.models, [...fitted.models, flat], [flat]])
      expectNear(
        await ran(treesOnnx(models), rest.columns),
        predictQuantiles({ levels: models.map((_, k) => k), models }, rest.columns),
      );
  });

  test('notes are kept in the file, which runs as before', async () => {
    const models = [{ features: 1, base: 2, trees: [] }];
    const bytes = treesOnnx(models, { columns: 'price', made: 'here' });
    assert.ok(Buffer.from(bytes).includes('columns') && Buffer.from(bytes).includes('price'));
    expectNear(await ran(bytes, [Float64Array.of(1)]), Float64Array.of(2));
  });

  test('models of other tables do not go together', () =>
    assert.throws(
      () =>
        treesOnnx([
          { features: 1, base: 0, trees: [] },
          { features: 2, base: 0, trees: [] },
        ]),
      /the same columns/,
    ));
});

/** A threshold of the feature, another one for each row. */
function thresholdOf(
  trees: readonly { readonly feature: readonly number[]; readonly threshold: readonly number[] }[],
  feature: number,
  row: number,
): number | undefined {
  const { feature: features, threshold } = trees[row % trees.length]!;
  const node = features.findIndex((each, i) => each === feature && threshold[i] !== 0);
  return node < 0 ? undefined : threshold[node];
}
