import assert from 'node:assert/strict';
import type { Finding } from '../../../domain/maths/effects/answer.js';
import { discover } from '../../../domain/maths/effects/discover.js';
import type { EffectsQuestion } from '../../../domain/maths/effects/question.js';
import { seeded, type Uniform } from '../../../domain/maths/seeded.js';
import { HOUR } from '../../../domain/time.js';
import { suite } from '../../suite.js';
import { made, normal, START, stepsOf } from './made.js';

type Column = readonly number[];
type Make = (random: Uniform) => Column;

const columnOf = (steps: number, at: (t: number) => number): Column =>
  Array.from({ length: steps }, (_, t) => at(t));

/** Follows itself by `kept`: 0 white noise, 1 a random walk. */
const regressive =
  (kept: number, steps: number): Make =>
  random => {
    let last = 0;
    return columnOf(steps, () => {
      last = kept * last + normal(random);
      return last;
    });
  };

/** An hourly target and signals, on the same steps. */
function asked(target: Column, signals: Readonly<Record<string, Column>>): EffectsQuestion {
  const series = (values: Column) => ({ times: values.map((_, t) => START + t * HOUR), values });
  return {
    target: series(target),
    ...{ stepMs: HOUR, horizon: 6 },
    candidates: Object.entries(signals).map(([key, values]) => ({
      kind: 'signal',
      key,
      series: series(values),
    })),
    settings: { alpha: 0.05, maxLag: null, seed: 7 },
  };
}

const findingsOf = (question: EffectsQuestion): Record<string, Finding> =>
  Object.fromEntries(discover(question).findings.map(finding => [finding.sourceKey, finding]));
const codesOf = ({ reasons }: Finding): string[] => reasons.map(({ code }) => code);

const STEPS = 500;
/** A target with a daily season, moved `lag` steps after `lead`, by `size` of each of its deviations. */
const led = (lead: Column, lag: number, size: number, seed: number): Column => {
  const random = seeded(seed);
  return lead.map(
    (_, t) => 50 + 3 * Math.sin((2 * Math.PI * t) / 24) + size * (lead[t - lag] ?? 0) + normal(random),
  );
};

suite('effects of signals', test => {
  const lead = regressive(0.7, STEPS)(seeded(1));
  const other = regressive(0.9, STEPS)(seeded(2));

  test('one that leads is found, with its lag and its direction; one that does not is not', () => {
    const target = led(lead, 4, -0.6, 3);
    const answer = discover(asked(target, { lead: lead.map(x => 1_000 + 40 * x), other }));
    assert.deepEqual([answer.multipleTesting.tests, answer.settings.maxLag], [2, 8]);
    const [found, idle] = answer.findings;
    assert.deepEqual([found!.verdict, codesOf(found!)], ['validated', []]);
    assert.deepEqual([found!.optimalLagS, found!.direction], [4 * 3600, 'negative']);
    assert.deepEqual(
      [found!.halfLifeS, found!.halfLifeInterval, found!.responseCurve, found!.nOccurrences],
      [null, null, null, null],
    );
    assert.ok(found!.qValue! < 1e-6 && found!.placeboP! < 0.05 && found!.stability! >= 0.8);
    const [low, high] = found!.liftInterval!;
    assert.ok(0 < low && low < found!.lift! && found!.lift! < high && high < 1);
    // it adds a variance of 0.6^2 / (1 - 0.7^2) to that of the noise, 1
    assert.ok(found!.strength! > 0.2 && found!.strength! < 0.6, `${found!.strength}`);
    assert.equal(idle!.verdict, 'refused');
    assert.ok(codesOf(idle!).includes('no_effect'));
    assert.deepEqual(idle!.confounders, ['lead']);
  });

  test('one that follows the target, or moves with it, does not lead it', () => {
    const random = seeded(4);
    const target = regressive(1, STEPS)(random).map(level => 0.3 * level + normal(random));
    const follows = target.map((_, t) => target[Math.max(0, t - 2)]! + 0.5 * normal(random));
    const { late } = findingsOf(asked(target, { late: follows }));
    assert.deepEqual([late!.verdict, codesOf(late!)[0]], ['refused', 'confounded']);
    assert.deepEqual(late!.confoundedBy, ['own_past']);
    assert.match(late!.reasons[0]!.text, /after it/);
  });

  test('what shares nothing but the season is refused', () => {
    const shares = columnOf(STEPS, t => 3 * Math.sin((2 * Math.PI * (t + 3)) / 24) + 0.3 * other[t]!);
    const { season } = findingsOf(asked(led(lead, 4, 0, 5), { season: shares }));
    assert.equal(season!.verdict, 'refused');
    assert.ok(codesOf(season!).includes('no_effect') && season!.pValue! > 0.05);
  });

  test('of two signals the one that leads is found, and its echo is confounded by it', () => {
    const random = seeded(6);
    const echo = lead.map((_, t) => (lead[t - 2] ?? 0) + 0.6 * normal(random));
    const found = findingsOf(asked(led(lead, 5, 0.8, 7), { echo, lead }));
    assert.equal(found['lead']!.verdict, 'validated');
    assert.equal(found['echo']!.verdict, 'refused');
    assert.deepEqual(found['echo']!.confoundedBy, ['lead']);
  });

  test('streams and signals are tested beside each other, all at once', () => {
    const streams = { cause: stepsOf(14, STEPS, 3, 20), idle: stepsOf(14, STEPS, 4) };
    const effect = (key: string, k: number): number => (key === 'cause' && k >= 0 ? 2.5 * 2 ** -(k / 6) : 0);
    const question = made({ steps: STEPS, seed: 11, streams, effect });
    const values = Array.from(question.target.values, (x, t) => x + 0.6 * (lead[t - 3] ?? 0));
    const signal = asked(values, { lead }).candidates[0]!;
    const { findings, multipleTesting } = discover({
      ...question,
      target: { ...question.target, values },
      candidates: [signal, ...question.candidates],
    });
    assert.equal(multipleTesting.tests, 3);
    assert.deepEqual(
      findings.map(({ kind, verdict }) => [kind, verdict]),
      [
        ['signal', 'validated'],
        ['event_stream', 'validated'],
        ['event_stream', 'refused'],
      ],
    );
    assert.deepEqual([findings[0]!.confounders, findings[1]!.confounders], [['cause'], ['lead']]);
  });

  test('a lag that is asked for is kept to, and too little is not tested', () => {
    const question = asked(led(lead, 4, 0.6, 3), {
      lead,
      still: lead.map(() => 3),
      short: lead.slice(0, 30),
      none: [],
    });
    const { findings, settings } = discover({ ...question, settings: { ...question.settings, maxLag: 2 } });
    assert.equal(settings.maxLag, 2);
    assert.notEqual(findings[0]!.optimalLagS, 4 * 3600);
    for (const { verdict, reasons } of findings.slice(1))
      assert.deepEqual([verdict, reasons[0]!.code], ['untested', 'too_few_points']);
    assert.match(findings[1]!.reasons[0]!.text, /the same/);
  });
});

suite('signals that have nothing to do with the target', test => {
  const PAIRS = 40;
  const N = 200;
  const trending: Make = random => {
    const slope = normal(random) / 10;
    return columnOf(N, t => slope * t + normal(random));
  };
  const pairs: Readonly<Record<string, Make>> = {
    'of their own past': regressive(0.9, N),
    'random walks': regressive(1, N),
    'with a trend each': trending,
  };
  for (const [name, make] of Object.entries(pairs))
    test(`${name}: found no more often than the level says`, () => {
      let below = 0;
      for (let seed = 1; seed <= PAIRS; seed++) {
        const random = seeded(1_000 + seed);
        const { x } = findingsOf(asked(make(random), { x: make(random) }));
        if (x!.pValue! < 0.05) below++;
        assert.ok(x!.verdict !== 'validated' || x!.qValue! < 0.05);
      }
      // of 40 at 5% more than 6 come by chance once in a hundred times
      assert.ok(below <= 6, `${below} of ${PAIRS}`);
    });
});
