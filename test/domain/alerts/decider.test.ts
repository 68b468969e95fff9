import * as assert from 'uvu/assert';
import { dueAt } from '../../../domain/alerts/checking.js';
import { suite } from '../../suite.js';
import { NOW, of, Rule, settings } from './given.js';

const firing = (over: ConstructorParameters<typeof Rule>[0] = {}): Rule => {
  const rule = new Rule(over);
  rule.checks('true');
  return rule;
};

suite('states of an alert', test => {
  test('what holds fires at once, and once', () => {
    const rule = new Rule();
    assert.equal(rule.checks('false'), []);
    assert.equal(rule.checks({ says: 'true', key: 'a' }), ['AlertFired']);
    assert.equal([rule.shown, rule.instanceId], ['firing', 'ain_a']);
    assert.equal(rule.checks('true', { says: 'true', key: 'a' }), []);
  });

  test('with a time it must hold for all of it', () => {
    const rule = new Rule({ forS: 60 });
    assert.equal(rule.checks('true'), ['AlertPended']);
    assert.is(rule.shown, 'pending');
    assert.is(dueAt(rule.live), NOW + 60_000);
    assert.equal(rule.later(59).checks('true'), []);
    assert.equal(rule.checks('false'), ['AlertCalmed']);
    assert.is(rule.shown, 'normal');
    rule.checks('true');
    assert.equal(rule.later(60).checks('true'), ['AlertFired']);
  });

  test('it is over when two checks after each other say so; the same check counts once', () => {
    const rule = firing();
    assert.equal(rule.checks({ says: 'false', key: 'x' }), ['AlertEased']);
    assert.equal(rule.checks({ says: 'false', key: 'x' }), []);
    assert.equal(rule.checks('true'), ['AlertWentOn']);
    assert.equal(rule.checks('false', 'false'), ['AlertEased', 'AlertResolved']);
    assert.is(rule.shown, 'resolved');
    assert.is(rule.live.instance, null);
  });

  test('after it was resolved it fires no sooner than its cooldown is over', () => {
    const rule = firing();
    rule.checks('false', 'false');
    assert.equal(rule.later(599).checks('true'), []);
    assert.equal(
      rule.gives({ type: 'RestAlert', data: { workspace: 'w', alertId: 'alr_1', at: rule.at } }),
      [],
    );
    rule.later(1);
    assert.is(rule.shown, 'normal', 'shown so as soon as it is');
    assert.equal(rule.checks('true'), ['AlertRested', 'AlertFired']);
    rule.checks('false', 'false');
    rule.later(600);
    const rest = { type: 'RestAlert', data: { workspace: 'w', alertId: 'alr_1', at: rule.at } } as const;
    assert.equal([...rule.gives(rest), ...rule.gives(rest)], ['AlertRested']);
  });

  test('a check that is seen again after a crash begins nothing anew', () => {
    const rule = firing({ cooldownS: 0 });
    const { instanceId } = rule;
    rule.says('ResolveAlert');
    assert.equal(rule.checks({ says: 'true', key: instanceId.slice(4) }), ['AlertRested']);
    assert.equal(rule.checks('true'), ['AlertFired']);
  });

  test('a fact that was looked at, and what came before it, is not looked at again', () => {
    const rule = new Rule({ cooldownS: 0 });
    const at = (position: number, says: 'true' | 'false') => rule.looks(position, says);
    assert.equal([...at(7, 'true'), ...at(8, 'false'), ...at(9, 'false')].length, 3);
    assert.equal([...at(7, 'true'), ...at(8, 'false'), ...at(9, 'true')], []);
    assert.equal(at(10, 'true'), ['AlertRested', 'AlertFired']);
  });

  test('by time no actual of a step before it was watched is checked', () => {
    const rule = new Rule();
    assert.equal(rule.checks('before'), []);
    assert.equal(rule.looks(3, 'before'), ['AlertFired'], 'one that comes now is');
  });

  test('it is told again each cooldown, until somebody takes note', () => {
    const rule = firing();
    assert.equal(rule.later(599).checks('true'), []);
    assert.equal(rule.later(1).checks('true', 'true'), ['AlertRepeated']);
    assert.is(dueAt(rule.live), rule.at + 600_000);
    assert.equal(rule.says('AcknowledgeAlert'), ['AlertAcknowledged']);
    assert.equal(rule.says('AcknowledgeAlert'), [], 'once');
    assert.equal([rule.shown, dueAt(rule.live)], ['acknowledged', null]);
    assert.equal(rule.later(6_000).checks('true'), []);
    assert.equal(rule.checks('false', 'false'), ['AlertEased', 'AlertResolved']);
    assert.is(dueAt(firing({ cooldownS: 0 }).live), null, 'without a cooldown never');
  });

  test('snoozed it is told again when that is over, where it still holds', () => {
    const rule = firing();
    assert.equal([...rule.snoozes(7_200), ...rule.snoozes(7_200)], ['AlertSnoozed']);
    assert.equal(rule.later(7_199).checks('true'), []);
    assert.is(dueAt(rule.live), rule.at + 1_000);
    assert.equal(rule.later(1).checks('true', 'true'), ['AlertRepeated']);
  });

  test('people resolve it; what is over is refused', () => {
    const rule = firing();
    const { instanceId } = rule;
    assert.equal(rule.says('ResolveAlert'), ['AlertResolved']);
    for (const what of ['ResolveAlert', 'AcknowledgeAlert'] as const)
      assert.is(
        rule.refusal(() => rule.says(what, instanceId)),
        'invalid_state',
      );
  });

  test('without data it says so once, whatever it was, and goes on where it stood', () => {
    const rule = firing();
    assert.equal(rule.checks('none'), [], 'since it is checked no three cadences have passed');
    assert.equal(rule.later(3_600).checks('none', 'none'), ['AlertLostData']);
    assert.is(rule.shown, 'no_data');
    assert.equal(rule.checks('true'), ['AlertRegainedData', 'AlertRepeated']);
    assert.is(rule.shown, 'firing');
  });

  test('time in which the platform was down is held against nobody', () => {
    const rule = firing();
    assert.equal(rule.later(3_600).checks('down'), []);
    assert.equal(rule.later(3_599).checks('down'), []);
    assert.equal(rule.later(1).checks('down'), ['AlertLostData']);
  });

  test('a check that fails shows as an error until one does not', () => {
    const rule = firing();
    assert.equal(rule.checks('error', 'error'), ['AlertCheckFailed']);
    assert.equal([rule.shown, rule.live.error?.code], ['error', 'not_found']);
    assert.equal(rule.checks('false'), ['AlertCheckRecovered', 'AlertEased']);
  });

  test('muted and switched off nothing is checked; then it is as it was', () => {
    const rule = new Rule({ forS: 60 });
    rule.checks('true');
    assert.equal(rule.changes({ muteUntil: rule.at + 3_600_000 }), ['AlertChanged']);
    assert.is(rule.shown, 'muted');
    assert.is(dueAt(rule.live), rule.at + 3_600_000);
    assert.equal(rule.later(120).checks('true', 'false', 'none', 'error'), []);
    rule.changes({ muteUntil: null });
    assert.is(rule.shown, 'pending');
    assert.equal(rule.later(59).checks('true'), [], 'what nobody looked at does not count');
    assert.equal(rule.later(1).checks('true'), ['AlertFired']);
    rule.changes({ enabled: false });
    assert.equal(rule.checks('false', 'false'), []);
    assert.is(dueAt(rule.live), null);
    rule.changes({ muteUntil: rule.at + 1_000, enabled: true });
    rule.later(2).checks('false', 'false');
    assert.is(rule.shown, 'resolved', 'a time of muting runs out by itself');
  });

  test('it sleeps with its goal, and goes with it', () => {
    const rule = new Rule({}, 'goa_1');
    rule.takes({ type: 'GoalPaused', data: { goalId: 'goa_1' } });
    assert.equal(rule.checks('true', 'error'), []);
    rule.takes({ type: 'GoalResumed', data: { goalId: 'goa_1' } });
    assert.equal(rule.checks('none'), []);
    assert.equal(rule.checks('true'), ['AlertFired']);
    rule.takes({ type: 'GoalDeleted', data: { goalId: 'goa_1' } });
    assert.equal(rule.checks('true'), []);
    assert.is(
      rule.refusal(() => rule.gives({ type: 'TestAlert', data: { workspace: 'w', alertId: 'alr_1' } })),
      'not_found',
    );
  });

  test('of a goal that is put away none is made or changed, until it is taken back', () => {
    const rule = new Rule({}, 'goa_1');
    rule.takes({ type: 'GoalArchived', data: { goalId: 'goa_1' } });
    const changes = () => rule.changes({ name: 'X' });
    assert.is(rule.refusal(changes), 'invalid_state');
    rule.takes({ type: 'GoalRestored', data: { goalId: 'goa_1' } });
    assert.equal(changes(), ['AlertChanged']);
    rule.gives({ type: 'DeleteAlert', data: { ...of, seen: null } });
    const create = () =>
      rule.gives({
        type: 'CreateAlert',
        data: { ...of, goalId: 'goa_1', settings: settings(), by: 'usr_1' },
      });
    rule.takes({ type: 'GoalArchived', data: { goalId: 'goa_1' } });
    assert.is(rule.refusal(create), 'invalid_state');
    rule.takes({ type: 'GoalRestored', data: { goalId: 'goa_1' } });
    assert.equal(create(), ['AlertCreated']);
  });

  test('a change is for the version that was seen, and the same again is none', () => {
    const rule = new Rule();
    assert.is(
      rule.refusal(() => rule.changes({ name: 'X' }, 2)),
      'version_conflict',
    );
    assert.equal([...rule.changes({ name: 'X' }, 1), ...rule.changes({ name: 'X' }, 2)], ['AlertChanged']);
    const remove = (seen: number) => () =>
      rule.gives({ type: 'DeleteAlert', data: { workspace: 'w', alertId: 'alr_1', seen } });
    assert.is(rule.refusal(remove(1)), 'version_conflict');
    assert.equal(remove(2)(), ['AlertDeleted']);
    assert.is(rule.refusal(remove(2)), 'not_found');
    assert.equal(rule.checks('true'), []);
  });
});
