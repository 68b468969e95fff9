import fc from 'fast-check';
import * as assert from 'uvu/assert';
import { barOf, learnedAfter } from '../../../domain/shocks/bar.js';
import {
  bandFactorAt,
  mixed,
  STARTING_BLEND,
  towardsChampion,
  weightsAt,
} from '../../../domain/shocks/blend.js';
import type { Composed } from '../../../domain/forecasts/composing.js';
import { inShock } from '../../../domain/shocks/applying.js';
import type { Weights } from '../../../domain/shocks/facts.js';
import { gradedStep } from '../../../domain/shocks/grading.js';
import { ontoSimplex, refitted, type Sample } from '../../../domain/shocks/refitting.js';
import { suite } from '../../suite.js';
import { HOUR } from '../../../domain/time.js';
import { History, NOW, qualify } from './given.js';

const near = (a: number, b: number): void => assert.ok(Math.abs(a - b) < 1e-9, `${a} is not ${b}`);
const START = STARTING_BLEND.weights.first;
const number = (min: number, max: number) => fc.double({ min, max, noNaN: true });
const parts = fc.record({
  ...{ champion: number(-50, 50), generalist: number(-50, 50), response: number(-50, 50) },
});
const samples = fc
  .array(fc.record({ actual: number(-50, 50), parts, remaining: number(0, 1) }), {
    ...{ minLength: 20, maxLength: 24 },
  })
  .map((all): Sample[] => all.map((one, i) => ({ ...one, time: NOW + i })));

function mindSimplex(weights: Weights): void {
  const all = [weights.champion, weights.generalist, weights.response];
  assert.ok(all.every(weight => weight >= 0));
  near(all[0]! + all[1]! + all[2]!, 1);
}

suite('what shocks teach', test => {
  test('weights begin as the design says, and go straight to the champion as R goes to 0', () => {
    assert.equal(weightsAt(STARTING_BLEND, 1), { champion: 0.4, generalist: 0.25, response: 0.35 });
    assert.equal(weightsAt(STARTING_BLEND, 0), { champion: 1, generalist: 0, response: 0 });
    const half = weightsAt(STARTING_BLEND, 0.5);
    near(half.champion, 0.7);
    near(half.generalist, 0.125);
    near(half.response, 0.175);
    assert.is(bandFactorAt(STARTING_BLEND, 1), 2);
    assert.is(bandFactorAt(STARTING_BLEND, 0), 1);
  });

  test('bands widen by what remains at each step, and are graded without it', () => {
    const levels = [0.1, 0.5, 0.9];
    const history = new History();
    history.does(qualify({ halfLifeS: 7_200 }));
    const episode = history.state.episode!;
    const times = [NOW, NOW + 2 * HOUR, NOW + 4 * HOUR];
    const column = (value: number) => times.map(() => value);
    const made = {
      ...{ times, levels, mean: column(10), quantiles: [8, 10, 13].map(column) },
      ...{ appliedEvents: [], skippedEvents: 0, carriedEvents: 0, shock: null },
    };
    const by = { episode, blend: STARTING_BLEND, generalist: null, response: column(10), at: NOW };
    const widths = ({ quantiles }: Composed) => times.map((_, h) => quantiles[2]![h]! - quantiles[0]![h]!);
    assert.equal(widths(inShock(made, by)), [10, 10, 10]);
    const found = inShock(made, { ...by, byStep: true });
    assert.equal(widths(found), [10, 7.5, 6.25]);
    assert.equal(found.shock!.bandFactors, [2, 1.5, 1.25]);
    const issued = { points: found, shock: found.shock, forecastId: 'fct' };
    const graded = gradedStep({ time: times[2]!, actual: 13.5 }, [issued as never])!;
    assert.equal([graded.insideNormal, graded.insideWidened, graded.outside], [false, true, 0]);
    const narrow = { ...made, quantiles: [9, 10, 11].map(column), shock: found.shock };
    const both = [{ ...issued, points: narrow }, issued] as never;
    const seen = gradedStep({ time: times[2]!, actual: 13.5 }, both)!;
    assert.equal([seen.insideWidened, seen.outside, seen.forecastIds.length], [true, 1, 2]);
  });

  test('the nearest weights are weights, and what is weights stays', () => {
    fc.assert(fc.property(parts, one => mindSimplex(ontoSimplex(one))));
    const same = ontoSimplex(START);
    for (const name of ['champion', 'generalist', 'response'] as const) near(same[name], START[name]);
    assert.equal(ontoSimplex({ champion: 9, generalist: 0, response: 1 }).champion, 1);
  });

  test('a refit moves by a tenth at most, and helps only where it loses less beside', () => {
    fc.assert(
      fc.property(samples, all => {
        const { after, helps, evidence } = refitted(START, all);
        mindSimplex(after);
        for (const name of ['champion', 'generalist', 'response'] as const)
          assert.ok(Math.abs(after[name] - START[name]) <= 0.1 + 1e-9);
        assert.is(helps, evidence.lossAfter < evidence.lossBefore);
        const held = all.filter((_, i) => i % 2 === 1);
        const loss = held.reduce(
          (sum, { parts: p, remaining, actual }) =>
            sum + Math.abs(mixed(towardsChampion(after, remaining), p) - actual) / held.length,
          0,
        );
        near(loss, evidence.lossAfter);
      }),
      { numRuns: 40 },
    );
  });

  test('again and again it comes to the weights that what came was made of', () => {
    const truth: Weights = { champion: 0.1, generalist: 0.7, response: 0.2 };
    const all = Array.from({ length: 24 }, (_, i): Sample => {
      const p = { champion: 10, generalist: 10 + 4 * Math.sin(i), response: 13 + Math.cos(2 * i) };
      return { time: NOW + i, parts: p, remaining: 1, actual: mixed(truth, p) };
    });
    let weights = START;
    for (let times = 0; times < 30; times++) {
      const { after, helps } = refitted(weights, all);
      if (helps) weights = after;
    }
    for (const name of ['champion', 'generalist', 'response'] as const)
      assert.ok(Math.abs(weights[name] - truth[name]) < 0.05, JSON.stringify(weights));
  });

  test('the bar: what the goal says, or the larger of .6 and what is high in the stream, as learned', () => {
    assert.is(barOf(0.3, [1, 1, 1], 0.2), 0.3);
    assert.is(barOf(null, []), 0.6);
    assert.is(barOf(null, [0.1, 0.2, 0.3]), 0.6);
    near(
      barOf(
        null,
        Array.from({ length: 11 }, (_, i) => i / 10),
      ),
      0.9,
    );
    near(barOf(null, [], 0.05), 0.65);
    near(barOf(null, [], -0.3), 0.5);
    near(barOf(null, [1], 0.1), 0.95);
    const grade = (blendLoss: number | null, championLoss: number | null) => ({
      ...{ steps: 1, blendLoss, championLoss },
    });
    near(learnedAfter(0, grade(2, 1)), 0.05);
    near(learnedAfter(0.1, grade(1, 2)), 0.08);
    assert.is(learnedAfter(0.1, grade(1, 1)), 0.1);
    assert.is(learnedAfter(0.1, grade(null, null)), 0.1);
    let learned = 0;
    for (let times = 0; times < 50; times++) learned = learnedAfter(learned, grade(2, 1));
    near(barOf(null, [], learned), 0.95);
    near(barOf(null, [], learnedAfter(learned, grade(1, 2))), 0.93);
  });
});
