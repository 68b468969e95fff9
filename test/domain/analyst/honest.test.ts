import * as assert from 'uvu/assert';
import { answerTo } from '../../../domain/analyst/answering.js';
import { briefOf } from '../../../domain/analyst/brief.js';
import type { Situation } from '../../../domain/analyst/situation.js';
import { randomOf } from '../../random.js';
import { suite } from '../../suite.js';
import { situationOf } from './given.js';
import { unfounded } from './numbers.js';

const answered = (situation: Situation, question: string) => {
  const found = answerTo(situation, question);
  assert.equal(unfounded(found.answer, found.facts), [], found.answer);
  return found;
};

suite('the analyst is honest', test => {
  const given = situationOf(randomOf(3));
  const edge = (lift: number | null, more: object = {}) => ({
    ...{ kind: 'edge' as const, id: `edg_${lift}` },
    shown: { source_key: 'fuel', kind: 'event_stream', status: 'pinned', lift, reasons: [], ...more },
  });

  test('about an edge that is pinned and of no use', () => {
    for (const question of ['What drives it?', 'What effect do events of fuel have?']) {
      const { answer, confidence, facts } = answered({ ...given, edges: [edge(-0.008)] }, question);
      assert.match(answer, 'Knowing this source has not made forecasts better so far: its lift is -0.8%.');
      assert.not.match(answer, 'removes');
      assert.is(confidence, 'low');
      assert.ok(facts.some(({ field, value }) => field === 'lift' && value === -0.008));
      assert.is(answered({ ...given, edges: [edge(null)] }, question).confidence, 'low', 'never measured');
      const good = answered({ ...given, edges: [edge(0.033), edge(-0.008)] }, question);
      assert.match(good.answer, 'Knowing this source removes 3.3% of the error.');
      assert.is(good.confidence, 'high');
    }
    assert.match(answered({ ...given, edges: [edge(-1e-5)] }, 'What drives it?').answer, 'lift is 0%');
  });

  test('in numbers that read as they are said', () => {
    const told = (optimal_lag_s: number, half_life_s: number, n_occurrences = 9): string => {
      const figures = { optimal_lag_s, half_life_s, n_occurrences, effect_peak: 4 };
      const edges = [edge(0.1, figures)];
      return answered({ ...given, edges }, 'What effect do events of fuel have?').answer;
    };
    assert.match(told(60, 67, 1), 'after 1 minute, the usual one moves the target by 4.');
    assert.match(told(60, 67, 1), 'left after 67 seconds. That was seen in 1 event.');
    assert.match(told(3_600, 9_000), 'after 1 hour, ');
    assert.match(told(3_600, 9_000), 'left after 2.5 hours. That was seen in 9 events.');
    assert.match(told(86_400, 3_000_000), 'after 1 day, ');
    assert.match(told(86_400, 3_000_000), 'left after 35 days.');
    assert.match(told(1, 121), 'after 1 second, ');
    assert.match(told(0, 121), 'after 0 seconds, ');
    assert.match(told(0, 121), 'left after 2 minutes.');
  });

  const of = (graded_steps: number, coverage_80_30d = 1, calibration = 'conformal'): Situation => {
    const record = { metric: 'mae', value_30d: 2, skill_vs_naive: 0.86, coverage_80_30d, graded_steps };
    const shown = { name: 'Sales', target: 'sales', status: 'active', health: 'ok', accuracy: record };
    const forecast = {
      ...{ served_by: 'champion', issued_at: '2026-01-05T00:00:00.000Z', points: [] },
      metadata: { calibration: { level: 0.8 } },
    };
    const latest = { kind: 'forecast' as const, id: 'fct_1', shown: forecast };
    const goal = { ...given.goal, shown: { ...shown, health_reasons: [], options: { calibration } } };
    return { ...given, goal, latest, previous: null, edges: [edge(0.1)] };
  };
  test('about how many steps were graded', () => {
    const one = answered(of(1), 'How accurate is it?');
    assert.match(one.answer, 'That is of 1 graded step: too few');
    assert.is(one.confidence, 'low');
    assert.is(answered(of(29), 'How accurate is it?').confidence, 'low');
    const enough = answered(of(30), 'How accurate is it?');
    assert.match(enough.answer, 'That is of 30 graded steps.');
    assert.is(enough.confidence, 'high');
    assert.is(answered(of(29), 'Compare the last two').confidence, 'medium');
  });

  test('about bands that are wrong by far, once enough was graded', () => {
    const advised = (...given: Parameters<typeof of>): string => {
      const { text, facts } = briefOf(of(...given)).sections.at(-1)!;
      assert.equal(unfounded(text, facts), [], text);
      return text;
    };
    assert.match(advised(100, 0.49), '100 graded steps, 49% lay inside of the band for 80%. Leave more');
    assert.not.match(advised(100, 0.49), 'Nothing');
    assert.match(advised(100, 0.49, 'model'), 'Set options.calibration to conformal');
    assert.match(advised(100, 0.98), 'if they stay too wide');
    for (const fine of [advised(29, 0.49), advised(100, 0.7), advised(100, 0.9)])
      assert.match(fine, 'Nothing needs to be done.');
  });
});
