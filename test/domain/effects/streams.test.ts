import assert from 'node:assert/strict';
import type { Finding } from '../../../domain/maths/effects/answer.js';
import { discover, recheck } from '../../../domain/maths/effects/discover.js';
import type { EffectsQuestion } from '../../../domain/maths/effects/question.js';
import { HOUR } from '../../../domain/time.js';
import { suite } from '../../suite.js';
import { made, stepsOf } from './made.js';

const STEPS = 700;
const decay = (halfLife: number, size: number) => (_: string, k: number) =>
  k < 0 ? 0 : size * 2 ** -(k / halfLife);

/** Each by its form, its half-life and where its peak is, in steps. */
const SHAPES = {
  decay: { effect: decay(6, 2.5), halfLife: 6, peak: 0 },
  'delayed peak': {
    effect: (_: string, k: number) => {
      if (k < 0) return 0;
      return k < 5 ? (-2.5 * (k + 1)) / 6 : -2.5 * 2 ** -((k - 5) / 6);
    },
    halfLife: 6,
    peak: 5,
  },
  'level shift': {
    effect: (_: string, k: number) => (k < 0 ? 0 : 2 * 2 ** -((k / 25) ** 2)),
    halfLife: 25,
    peak: 0,
  },
  bump: {
    effect: (_: string, k: number) => (k < 0 ? 0 : 2.5 * 2 ** -(((k - 8) / 4) ** 2)),
    halfLife: 4,
    peak: 8,
  },
};

const findingsOf = (question: EffectsQuestion): Record<string, Finding> =>
  Object.fromEntries(discover(question).findings.map(finding => [finding.sourceKey, finding]));

const codesOf = ({ reasons }: Finding): string[] => reasons.map(({ code }) => code);

suite('effects of event streams', test => {
  for (const [name, { effect, halfLife, peak }] of Object.entries(SHAPES))
    test(`a ${name} is found, with its half-life, its peak and its size`, () => {
      const streams = { cause: stepsOf(18, STEPS, 3, 20), idle: stepsOf(18, STEPS, 4) };
      const question = made({
        steps: STEPS,
        seed: 11,
        streams,
        effect: (key, k) => (key === 'cause' ? effect(key, k) : 0),
      });
      const { cause, idle } = findingsOf(question);
      assert.deepEqual([cause!.verdict, codesOf(cause!)], ['validated', []]);
      const steps = (cause!.halfLifeS! * 1000) / HOUR;
      assert.ok(steps > halfLife / 1.5 && steps < halfLife * 1.5, `half-life ${steps}`);
      assert.ok(Math.abs((cause!.optimalLagS! * 1000) / HOUR - peak) <= 2, `peak ${cause!.optimalLagS}`);
      const size = effect('cause', peak);
      assert.ok(Math.abs(cause!.response!.amplitude / size - 1) < 0.3, `${cause!.response!.amplitude}`);
      assert.equal(cause!.direction, size > 0 ? 'positive' : 'negative');
      assert.ok(cause!.lift! > 0 && cause!.liftInterval![0] > 0 && cause!.liftInterval![1] >= cause!.lift!);
      const [low, high] = cause!.halfLifeInterval!;
      assert.ok(low <= cause!.halfLifeS! && cause!.halfLifeS! <= high);
      assert.equal(idle!.verdict, 'refused');
      assert.ok(codesOf(idle!).includes('no_effect'));
    });

  test('the curve has what the event does, and nothing before it', () => {
    const question = made({
      steps: STEPS,
      seed: 21,
      streams: { cause: stepsOf(20, STEPS, 5, 20) },
      effect: decay(5, 3),
    });
    const { responseCurve } = findingsOf(question)['cause']!;
    const { points, scale, stepS, preTrendP } = responseCurve!;
    assert.equal(stepS, 3600);
    assert.ok(points.length <= 64 && preTrendP > 0.05);
    for (const { offsetS, effect, mean, lower, upper, n } of points) {
      const k = offsetS / 3600;
      const truth = k < 0 ? 0 : 3 * 2 ** -(k / 5);
      assert.ok(Math.abs(mean * scale - truth) < 1.1, `${k}: ${mean * scale}`);
      if (k >= 0) assert.ok(Math.abs(effect * scale - truth) < 0.6, `${k}: ${effect * scale}`);
      assert.ok(lower <= effect && effect <= upper && n === 20);
    }
  });

  test('one that begins late does nothing before, and one that is very strong is no outlier', () => {
    const worlds = [
      { delay: 1, size: 5, halfLife: 4 },
      { delay: 5, size: -5, halfLife: 4 },
      { delay: 14, size: 5, halfLife: 4 },
      { delay: 0, size: 25, halfLife: 4 },
      { delay: 1, size: 25, halfLife: 4 },
      { delay: 7, size: -25, halfLife: 2 },
      { delay: 2, size: 100, halfLife: 3 },
    ];
    for (const { delay, size, halfLife } of worlds) {
      const truth = (k: number): number => (k < delay ? 0 : size * 2 ** -((k - delay) / halfLife));
      const streams = { cause: stepsOf(17, 900, 51, 30) };
      const question = made({ steps: 900, seed: 51, streams, effect: (_, k) => truth(k) });
      const { verdict, response, responseCurve } = findingsOf(question)['cause']!;
      const of = `${size} after ${delay}`;
      assert.deepEqual([verdict, response!.peakS / 3600], ['validated', delay], of);
      const { points, scale } = responseCurve!;
      for (const { offsetS, effect, mean } of points.filter(point => point.offsetS >= 0)) {
        const wanted = truth(offsetS / 3600);
        assert.ok(Math.abs(effect * scale - wanted) < 0.6, `${of}, ${offsetS}: ${effect * scale}, ${wanted}`);
        assert.ok(Math.abs(mean * scale - wanted) < 1.5, `${of}, ${offsetS}: mean ${mean * scale}`);
      }
    }
  });

  test('events that are all as far apart are held apart, however strong they are', () => {
    for (const [apart, size] of [
      [17, 25],
      [10, 40],
      [30, 60],
    ] as const) {
      const at = Array.from({ length: Math.floor(640 / apart) }, (_, i) => 30 + i * apart);
      const question = made({ steps: STEPS, seed: 51, streams: { cause: at }, effect: decay(3, size) });
      const { verdict, response } = findingsOf(question)['cause']!;
      assert.deepEqual([verdict, response!.peakS], ['validated', 0], `${size} every ${apart}`);
      assert.ok(Math.abs(response!.amplitude / size - 1) < 0.03, `${response!.amplitude} for ${size}`);
      assert.ok(Math.abs(response!.halfLifeS / 3 / 3600 - 1) < 0.1, `${response!.halfLifeS / 3600} h`);
    }
  });

  test('an effect that is there before the event is refused, unless the event was known before', () => {
    const early = (known: boolean) =>
      findingsOf(
        made({
          steps: STEPS,
          seed: 31,
          streams: { leaked: stepsOf(18, STEPS, 6, 20) },
          effect: (_, k) => (k < -4 ? 0 : 2.5 * 2 ** -((k + 4) / 9)),
          ...(known && { event: () => ({ recordedAt: 0 }) }),
        }),
      )['leaked']!;
    assert.deepEqual([early(false).verdict, codesOf(early(false))[0]], ['refused', 'pre_trend']);
    assert.ok(early(false).responseCurve!.preTrendP < 0.05);
    assert.equal(early(true).knownInAdvance, true);
    assert.ok(!codesOf(early(true)).includes('pre_trend'));
  });

  test('of two streams that come together the one that acts is found, the other is confounded by it', () => {
    const cause = stepsOf(30, 1_000, 8, 16);
    const companion = [...cause.filter((_, i) => i % 5 > 0).map(step => step + 1), ...stepsOf(4, 1_000, 9)];
    const question = made({
      steps: 1_000,
      seed: 41,
      streams: { companion, cause },
      effect: (key, k) => (key === 'cause' ? decay(6, 2.2)(key, k) : 0),
    });
    const found = findingsOf(question);
    assert.equal(found['cause']!.verdict, 'validated');
    assert.deepEqual(
      [found['companion']!.verdict, codesOf(found['companion']!)[0]],
      ['refused', 'confounded'],
    );
    assert.deepEqual(found['companion']!.confoundedBy, ['cause']);
    assert.equal(recheck(question, 'companion')!.verdict, 'refused');
  });

  test('a candidate with an alpha of its own is held to that', () => {
    const streams = { cause: stepsOf(18, STEPS, 3, 20) };
    const question = made({ steps: STEPS, seed: 11, streams, effect: decay(6, 2.5) });
    const held = { ...question, candidates: question.candidates.map(one => ({ ...one, alpha: 1e-300 })) };
    assert.equal(discover(question).findings[0]!.verdict, 'validated');
    const [strict] = discover(held).findings;
    assert.equal(strict!.verdict, 'candidate');
    assert.match(strict!.reasons[0]!.text, /below 1e-300 is needed/);
    assert.equal(strict!.qValue, discover(question).findings[0]!.qValue);
  });

  test('events act by their figures where those tell how much', () => {
    const figures = [0.5, 2, -1, 0.2, 1.5, -2.5, 1, 3, 0.4, -0.8];
    const at = stepsOf(20, STEPS, 10, 20);
    const question = made({
      steps: STEPS,
      seed: 51,
      streams: { cause: at },
      event: (_, i) => ({ value: figures[i % 10]!, importance: 0.3 + 0.02 * i }),
    });
    const values = Array.from(question.target.values);
    at.forEach((step, i) => {
      for (let t = step; t < STEPS; t++) values[t]! += figures[i % 10]! * 2 * 2 ** -((t - step) / 6);
    });
    const { cause } = findingsOf({ ...question, target: { ...question.target, values } });
    assert.equal(cause!.verdict, 'validated');
    assert.equal(cause!.response!.weighing.by, 'value');
    assert.equal(cause!.direction, 'mixed');
    const { amplitude, weighing } = cause!.response!;
    assert.ok(Math.abs(amplitude / weighing.mean / 2 - 1) < 0.25, `${amplitude} for ${weighing.mean}`);
  });
});
