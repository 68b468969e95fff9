import * as assert from 'uvu/assert';
import { forbiddenIn } from '../../domain/byom/operators.js';
import type { Graph, Node } from '../../domain/byom/structure.js';
import { suite } from '../suite.js';

const named = (names: string) =>
  names === '' ? [] : names.split(' ').map(name => ({ name, type: 1, shape: null }));
/** As `series -> NonZero -> places`; `-` is what is left out. */
const nodeOf = (said: string, bodies: readonly Graph[] = []): Node => {
  const [inputs, op, outputs] = said
    .split(' -> ')
    .map(part => part.split(' ').map(name => (name === '-' ? '' : name)));
  return { op: op![0]!, domain: '', inputs: inputs!, outputs: outputs!, bodies };
};
const graphOf = (nodes: readonly (Node | string)[], outputs = 'y', inputs = ''): Graph => ({
  nodes: nodes.map(each => (typeof each === 'string' ? nodeOf(each) : each)),
  inputs: named(inputs),
  outputs: named(outputs),
});
const faults = (...nodes: readonly (Node | string)[]): string[] =>
  forbiddenIn({ graph: graphOf(nodes, 'y', 'series') });

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

  test('are not those of nodes that leave something out, as another one does', () => {
    const gru = 'series w r -> GRU -> - h';
    assert.equal(faults(gru, 'h - - four -> Resize -> y'), []);
    assert.equal(faults(gru, 'fixed s e - step -> Slice -> cut', ...grown('cut')), []);
    assert.equal(faults(gru, 'series -> Shape -> n', 'n - most -> Clip -> m', 'one m -> Expand -> y'), []);
    assert.equal(faults(gru, 'h -> Cast -> k', 'fixed s e - k -> Slice -> cut', ...grown('cut')), HANGS);
  });

  test('are found in whatever order nodes stand, in as long as they take tensors', () => {
    const steps = 20_000;
    const chain = Array.from({ length: steps }, (_, i) => `${i || 'series'} -> Cast -> ${i + 1}`);
    const began = performance.now();
    assert.equal(faults(`${steps} -> ConstantOfShape -> y`, ...chain.reverse()), HANGS);
    const joined = Array.from({ length: steps }, (_, i) => `${i + 1}`).join(' ');
    assert.equal(
      faults(`${joined} -> Concat -> all`, 'all -> NonZero -> cut', ...grown('cut'), ...chain),
      HANGS,
    );
    assert.ok(performance.now() - began < 10_000);
  });
});
