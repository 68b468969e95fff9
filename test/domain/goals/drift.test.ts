import * as assert from 'uvu/assert';
import { dueOf, hasDrifted, restInVain, RESTS, type Did } from '../../../domain/goals/drift.js';
import { DAY, HOUR } from '../../../domain/time.js';
import { suite } from '../../suite.js';

const did = (value: number | null, over: Partial<Did> = {}): Did => ({ value, skill: 0.2, n: 100, ...over });

suite('drift of a goal', test => {
  test('a week that lost a quarter more than the month, or more than seasonal naive, is one', () => {
    assert.is(hasDrifted({ week: did(1.2), month: did(1) }), false);
    assert.is(hasDrifted({ week: did(1.3), month: did(1) }), true);
    assert.is(hasDrifted({ week: did(1, { skill: -0.1 }), month: did(1) }), true);
    assert.is(hasDrifted({ week: did(9, { n: 23 }), month: did(1) }), false, 'too few steps say nothing');
    assert.is(hasDrifted({ week: did(null), month: did(null, { n: 0 }) }), false);
  });

  test('what begins by itself begins weekly, or is looked at after a rest, or never', () => {
    const due = (automatic: 'off' | 'weekly' | 'on_drift', since: number, cadenceS = 3_600) =>
      dueOf(automatic, { cadenceS }, { last: 0, now: since, rest: RESTS.tournament });
    assert.equal(
      [due('off', 30 * DAY), due('weekly', 7 * DAY - 1), due('weekly', 7 * DAY)],
      [...(['no', 'no', 'schedule'] as const)],
    );
    assert.equal([due('on_drift', DAY - 1), due('on_drift', DAY)], ['no', 'look']);
    assert.equal([due('on_drift', 23 * DAY, 86_400), due('on_drift', 24 * DAY, 86_400)], ['no', 'look']);
    assert.ok(RESTS.discovery > RESTS.tournament);
  });

  test('where none is found models compete ever later, up to a day', () =>
    assert.equal(
      [0, 1, 2, 3, 5, 6, 99].map(inVain => restInVain(inVain) / HOUR),
      [1, 1, 2, 4, 16, 24, 24],
    ));
});
