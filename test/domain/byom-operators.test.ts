import * as assert from 'uvu/assert';
import { forbiddenIn } from '../../domain/byom/operators.js';
import type { Graph, Node } from '../../domain/byom/structure.js';
import { suite } from '../suite.js';

const named = (names: string) =>
  names === '' ? [] : names.split(' ').map(name => ({ name, type: 1, shape: null }));
/** As `series -> NonZero -> places`; `-` is an input that is left out. */
const nodeOf = (said: string, bodies: readonly Graph[] = []): Node => {
  const [inputs, op, outputs] = said.split(' -> ').map(part => part.split(' '));
  return { op: op![0]!, domain: '', inputs: inputs!, outputs: outputs!, bodies };
};
const graphOf = (nodes: readonly (Node | string)[], outputs = 'y', inputs = ''): Graph => ({
  nodes: nodes.map(each => (typeof each === 'string' ? nodeOf(each) : each)),
  inputs: named(inputs),
  outputs: named(outputs),
});
const faults = (...nodes: readonly (Node | string)[]): string[] =>
  forbiddenIn({ opsets: { '': 17 }, graph: graphOf(nodes, 'y', 'series') });

const HANGS = ['ConstantOfShape: the size of what it gives hangs on the values of the series'];
/** What makes a tensor as large as another one is, a thousand times over. */
const grown = (from: string) => [
  `${from} -> Shape -> n`,
  'n thousand -> Mul -> m',
  'm -> ConstantOfShape -> y',
];

suite('sizes that hang on the values of a series', test => {
  test('are those of what was cut by values, however it was', () => {
    for (const cut of [
      'series zero -> Greater -> is|is -> NonZero -> cut',
      'series zero -> Greater -> is|other is -> Compress -> cut',
      'series -> Unique -> cut',
      'boxes series -> NonMaxSuppression -> cut',
      'series -> Cast -> k|other zero k -> Slice -> cut',
      'series -> Cast -> k|other k -> Reshape -> cut',
      'series -> Cast -> k|other k -> TopK -> cut places',
      'series -> NonZero -> at|at zero -> Add -> cut',
    ])
      assert.equal(faults(...cut.split('|'), ...grown('cut')), HANGS, cut);
    assert.equal(faults('series -> NonZero -> cut', 'cut -> Size -> n', 'n -> ConstantOfShape -> y'), HANGS);
  });

  test('are those of branches that are chosen by values, and not of others', () => {
    const branches = [graphOf(['series -> Identity -> a'], 'a'), graphOf(['other -> Identity -> b'], 'b')];
    assert.equal(faults('series -> Cast -> c', nodeOf('c -> If -> cut', branches), ...grown('cut')), HANGS);
    assert.equal(faults(nodeOf('other -> If -> cut', branches), ...grown('cut')), []);
    const cutting = [graphOf(['series -> NonZero -> a'], 'a'), branches[1]!];
    assert.equal(faults(nodeOf('other -> If -> cut', cutting), ...grown('cut')), HANGS);
  });

  test('are those of what a body remembers of what it was given before', () => {
    const body = graphOf(['was -> ConstantOfShape -> large', 'series -> Cast -> next'], 'next', 'was each');
    assert.equal(faults(nodeOf('first steps -> Scan -> y', [body])), HANGS);
  });

  test('are not those of series as they come, nor of what was cut at fixed places', () => {
    assert.equal(faults(...grown('series')), []);
    assert.equal(faults('series zero three -> Slice -> cut', ...grown('cut')), []);
    assert.equal(faults('mask -> NonZero -> at', 'series at -> GatherND -> cut', ...grown('cut')), []);
    assert.equal(faults('series three -> TopK -> cut places', ...grown('cut')), []);
    // What is cut by values is taken as long as nothing else is made as large
    assert.equal(faults('series -> NonZero -> at', 'at -> ReduceSum -> y'), []);
  });
});
