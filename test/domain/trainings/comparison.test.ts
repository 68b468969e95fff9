import * as assert from 'uvu/assert';
import { beats, compare, type FoldLosses } from '../../../domain/trainings/comparison.js';
import { suite } from '../../suite.js';
import { madeLosses, scoresOf, type World } from './made-losses.js';

const of = (candidate: readonly number[], against: readonly number[]): FoldLosses => ({
  candidate: Float64Array.from(candidate),
  against: Float64Array.from(against),
});
const compared = (folds: readonly FoldLosses[], seed = 1) => compare(folds, scoresOf(folds), false, seed);
const world = (over: Partial<World>): World => ({
  ...{ folds: 5, steps: 24, series: 10, alike: 0.9, better: 0 },
  ...over,
});
const replaced = (of: World, runs: number): number => {
  const wins = Array.from({ length: runs }, (_, run) => beats(compared(madeLosses(of, run), run), 0));
  return wins.filter(won => won).length / runs;
};

suite('a candidate beside what serves', test => {
  test('of two equal models the serving one is replaced in at most 5 of 100 cycles', () => {
    assert.ok(replaced(world({}), 200) <= 0.05);
    assert.ok(replaced(world({ folds: 3, steps: 6, series: 1 }), 200) <= 0.05);
  });

  test('one that is better by 10% takes its place in at least 80 of 100', () => {
    assert.ok(replaced(world({ better: 0.1 }), 100) >= 0.8);
  });

  test('the interval holds the improvement, and equal input gives equal output', () => {
    const folds = madeLosses(world({ better: 0.2 }), 3);
    const comparison = compared(folds);
    const { improvement, interval, score, against } = comparison;
    assert.is(improvement, 1 - score / against);
    assert.ok(interval[0] < improvement && improvement < interval[1]);
    assert.equal(compared(folds), comparison);
    assert.not.equal(compared(folds, 2).interval, interval);
  });

  test('a model beside itself is no better, without any doubt', () => {
    const folds = madeLosses(world({}), 5).map(({ against }) => ({ candidate: against, against }));
    const { improvement, interval } = compared(folds);
    assert.equal([improvement, ...interval], [0, 0, 0]);
    assert.not(beats(compared(folds), 0));
  });

  test('what is better by less than asked does not beat, nor what is better within doubt', () => {
    const folds = [of([8, 8], [10, 10]), of([8, 8], [10, 10]), of([8, 8], [10, 10])];
    const comparison = compared(folds);
    assert.ok(beats(comparison, 0.1));
    assert.not(beats(comparison, 0.2));
    assert.not(beats(compared([of([1], [10]), of([10], [9]), of([9], [9])]), 0));
  });

  test('one fold of few steps, or no step that both have, tells nothing', () => {
    assert.equal(compared([of([1, 1, 1], [2, 2, 2])]).interval, [-1, 1]);
    assert.equal(compare([of([NaN], [1])], { score: 1, against: 2 }, false, 1).interval, [-1, 1]);
    assert.equal(compare([], { score: 1, against: 2 }, false, 1).interval, [-1, 1]);
  });

  test('steps without a number of one of them count for neither', () => {
    const whole = [of([1, 2], [2, 3]), of([2, 2], [3, 3])];
    const holey = [of([1, 2, NaN, 7], [2, 3, 9, NaN]), of([2, 2], [3, 3])];
    const scores = { score: 1, against: 2 };
    assert.equal(compare(holey, scores, false, 4), compare(whole, scores, false, 4));
  });

  test('a metric that is a root is compared as one', () => {
    const folds = madeLosses(world({ better: 0.3 }), 7);
    const { score, against } = scoresOf(folds);
    const rooted = compare(folds, { score: score ** 0.5, against: against ** 0.5 }, true, 1);
    const plain = compared(folds);
    assert.ok(rooted.interval[1] - rooted.interval[0] < 0.7 * (plain.interval[1] - plain.interval[0]));
  });

  test('nothing to lose: as good is no improvement, worse is the worst', () => {
    assert.is(compare([of([0], [0]), of([0], [0])], { score: 0, against: 0 }, false, 1).improvement, 0);
    assert.is(compare([of([1], [0]), of([1], [0])], { score: 1, against: 0 }, false, 1).improvement, -1);
  });
});
