import * as assert from 'uvu/assert';
import { openSession } from '../../adapters/forecaster/session.js';
import { seasonalNaive } from '../../domain/maths/forecasting/baselines/index.js';
import { levelsOf, prepared, type Graph } from '../../domain/models/graph.js';
import { lastValuePlus, type TinyNetwork } from '../models/onnx-file.js';
import { suite } from '../suite.js';

type Changes = {
  readonly input?: Partial<Graph['input']>;
  readonly form?: Graph['output']['form'];
  readonly scaling?: Graph['scaling'];
};
const graph = ({ input = {}, form = 'levels_last', scaling = 'none' }: Changes = {}): Graph => ({
  input: { name: 'x', type: 'float32', channel: false, length: null, missing: 'nan', pad: 'nan', ...input },
  output: { name: 'y', form },
  scaling,
});
const caps = { context: 8, horizon: 2 };

const forecast = async (network: TinyNetwork, of: Graph, values: readonly number[], horizon = 2) => {
  const session = await openSession({ bytes: lastValuePlus(network), manifest: { caps, graph: of } });
  const { quantiles } = await session.run({ values: Float64Array.from(values), period: 1 }, horizon);
  await session.close();
  return [...quantiles];
};

suite('networks of other makers', test => {
  /** Two steps with three levels each. */
  const last = { added: [-1, 0, 1, -2, 0, 2], shape: [1, 2, 3] };

  test('levels stand last, or first', async () => {
    assert.equal(await forecast(last, graph(), [5, 10]), [9, 10, 11, 8, 10, 12]);
    const first = { added: [-1, -2, 0, 0, 1, 2], shape: [1, 3, 2] };
    assert.equal(await forecast(first, graph({ form: 'levels_first' }), [10]), [9, 10, 11, 8, 10, 12]);
  });
  test('fewer steps than the network makes are its first ones', async () =>
    assert.equal(await forecast(last, graph(), [10], 1), [9, 10, 11]));
  test('quantiles that cross are put in order', async () =>
    assert.equal(await forecast({ ...last, added: [1, 0, -1, 2, -2, 0] }, graph(), [10]), [
      ...[9, 10, 11],
      ...[8, 10, 12],
    ]));
  test('a channel may follow the values', async () => {
    const network = { ...last, dims: [1, 'length', 1] };
    assert.equal(
      await forecast(network, graph({ input: { channel: true } }), [7, 10]),
      [9, 10, 11, 8, 10, 12],
    );
  });
  test('a network that always takes so many values gets the newest, or something before them', async () => {
    const network = { ...last, dims: [1, 3] };
    const fixed = graph({ input: { length: 3, pad: 'first' } });
    assert.equal(await forecast(network, fixed, [1, 2, 3, 10]), [9, 10, 11, 8, 10, 12]);
    assert.equal(await forecast(network, fixed, [10]), [9, 10, 11, 8, 10, 12]);
  });
  test('what is scaled comes back in the unit of the series', async () => {
    const scaled = (scaling: Graph['scaling']) => forecast(last, graph({ scaling }), [10, 30], 1);
    assert.equal(await scaled('mean_abs'), [10, 30, 50]);
    assert.equal(await scaled('z_score'), [20, 30, 40]);
    assert.equal(await forecast(last, graph({ scaling: 'z_score' }), [5, 5], 1), [4, 5, 6], 'of no width');
  });
  test('a network that gives points gets the bands of the seasonal naive forecast around them', async () => {
    const points = { added: [1, 2], shape: [1, 2] };
    const values = [3, 5, 4, 10];
    const found = await forecast(points, graph({ form: 'points' }), values);
    const naive = seasonalNaive(Float64Array.from(values), 1, 2).values;
    assert.is(levelsOf({ graph: graph({ form: 'points' }), quantiles: [0.5] }).length, 9);
    assert.equal([found[4], found[13]], [11, 12]);
    for (const [i, value] of found.entries()) assert.ok(Math.abs(value - naive[i]! - (i < 9 ? 1 : 2)) < 1e-9);
  });

  const inputs = (
    changes: Partial<Graph['input']>,
    values: readonly number[],
    scaling?: Graph['scaling'],
  ) => [
    ...prepared(graph({ input: changes, ...(scaling && { scaling }) }), Float64Array.from(values)).values,
  ];
  test('missing values stay, or lie on the line between their neighbours', () => {
    assert.equal(inputs({}, [1, NaN, 3]), [1, NaN, 3]);
    assert.equal(inputs({ missing: 'linear' }, [NaN, 1, NaN, NaN, 4, NaN]), [1, 1, 2, 3, 4, 4]);
    assert.equal(inputs({ missing: 'linear' }, [NaN, 7, NaN]), [7, 7, 7]);
  });
  test('before a short series stands what the network takes for nothing', () => {
    assert.equal(inputs({ length: 3, pad: 'nan' }, [5]), [NaN, NaN, 5]);
    assert.equal(inputs({ length: 4, pad: 'zero' }, [1, 3], 'z_score'), [0, 0, -1, 1]);
    assert.equal(inputs({ length: 4, pad: 'first' }, [2, 6], 'mean_abs'), [0.5, 0.5, 0.5, 1.5]);
  });
});
