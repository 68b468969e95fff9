import * as assert from 'uvu/assert';
import { answerTo } from '../../../domain/analyst/answering.js';
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
});
