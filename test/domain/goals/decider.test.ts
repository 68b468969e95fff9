import * as assert from 'uvu/assert';
import type { GoalCommand } from '../../../domain/goals/commands.js';
import { healthOf } from '../../../domain/goals/health.js';
import { championsOf } from '../../../domain/goals/state.js';
import { suite } from '../../suite.js';
import { activate, change, competed, create, crown, discovered, History, move, of, remove } from './given.js';

const after = (...commands: readonly GoalCommand[]): History => {
  const history = new History();
  history.all(create, ...commands);
  return history;
};
const ways = {
  draft: [],
  discovering: [activate(false)],
  competing: [activate()],
  active: [activate(), competed('ets')],
  paused: [activate(), competed('ets'), move('PauseGoal')],
  archived: [activate(), competed('ets'), move('ArchiveGoal')],
} as const;
type Status = keyof typeof ways;

suite('states of a goal', test => {
  test('only the moves of the table are there', () => {
    const moves: Record<string, readonly [GoalCommand, readonly Status[], string]> = {
      activate: [activate(), ['draft'], 'invalid_state'],
      pause: [move('PauseGoal'), ['active'], 'invalid_state'],
      resume: [move('ResumeGoal'), ['paused'], 'invalid_state'],
      archive: [move('ArchiveGoal'), ['draft', 'active', 'paused'], 'invalid_state'],
      restore: [move('RestoreGoal'), ['archived'], 'invalid_state'],
      delete: [remove(), ['draft', 'paused', 'archived'], 'goal_active'],
      rename: [
        change({ name: 'X' }),
        ['draft', 'discovering', 'competing', 'active', 'paused'],
        'invalid_state',
      ],
    };
    for (const [what, [command, from, code]] of Object.entries(moves))
      for (const [status, way] of Object.entries(ways)) {
        const wanted = from.includes(status as Status) ? 'taken' : code;
        assert.is(after(...way).refusal(command), wanted, `${what} while ${status}`);
      }
  });

  test('activation goes by a discovery and a tournament to a champion', () => {
    const history = after();
    assert.equal(history.all(activate(false)), ['GoalActivated']);
    assert.equal(history.all(competed('ets')), [], 'no tournament before the discovery is over');
    assert.equal(history.all(discovered(), discovered()), ['GoalDiscovered'], 'once');
    assert.is(history.live.activatedAt, null);
    assert.equal(history.all(competed('ets'), competed('theta')), ['GoalWentActive'], 'once');
    assert.equal([history.live.champion?.name, history.live.activatedAt], ['ets', history.at]);
    assert.equal(history.live.reasons, []);
  });

  test('it goes on without drivers and without a champion, and says so', () => {
    const history = after(activate(false));
    assert.equal(history.all(discovered(true)), ['GoalDiscovered', 'GoalHealthChanged']);
    assert.equal(history.all(competed(null)), ['GoalWentActive', 'GoalHealthChanged']);
    assert.equal(history.live.reasons, ['discovery_failed', 'no_champion']);
    assert.is(healthOf(history.live.reasons), 'attention');
    assert.equal(history.all(crown('ets'), crown('ets')), ['GoalChampionChanged', 'GoalHealthChanged']);
    assert.equal(history.live.reasons, ['discovery_failed']);
    const health = (add: readonly 'target_stale'[], remove: readonly 'target_stale'[]): GoalCommand => ({
      type: 'NoteHealth',
      data: { ...of, add, remove },
    });
    assert.equal(history.all(health(['target_stale'], []), health(['target_stale'], [])).length, 1);
    assert.is(healthOf(history.live.reasons), 'failing');
    history.all(health([], ['target_stale']));
    assert.equal(history.live.reasons, ['discovery_failed']);
  });

  test('what it forecasts changes while nothing runs for it; a champion of another series goes', () => {
    const active = after(...ways.active);
    for (const other of [{ target: 'x' }, { stepS: 60 }, { timezone: 'Asia/Tokyo' }, { horizon: 3 }])
      assert.is(active.refusal(change(other)), 'goal_active');
    const paused = after(...ways.paused);
    paused.all(change({ horizon: 3 }));
    assert.is(paused.live.champion?.name, 'ets');
    assert.equal(paused.all(change({ target: 'x' })), ['GoalChanged', 'GoalHealthChanged']);
    assert.equal([paused.live.champion, paused.live.reasons], [null, ['no_champion']]);
    assert.equal(after().all(change({ target: 'x' })), ['GoalChanged']);
  });

  test('a score in another metric than the goal has is none', () => {
    const active = after(...ways.active);
    const shown = () => championsOf(active.live).champion;
    active.all(change({ name: 'X' }));
    assert.is(shown()?.score, 1);
    active.all(change({ name: 'X', metric: 'mae' }));
    assert.equal([shown()?.name, shown()?.score], ['ets', null]);
    active.all(change({}));
    assert.is(shown()?.score, 1, 'of the metric that it was judged by');
    active.all(change({ metric: 'mae' }), crown('theta'));
    assert.equal([shown()?.name, shown()?.score], ['theta', 1]);
  });

  test('a change is for the version that was seen, and the same again is none', () => {
    const history = after();
    assert.is(history.refusal(change({ name: 'X' }, 2)), 'version_conflict');
    assert.is(history.refusal(remove(2)), 'version_conflict');
    assert.equal(history.all(change({ name: 'X' }, 1), change({ name: 'X' }, 2)), ['GoalChanged']);
    assert.is(history.live.version, 2);
  });

  test('a draft that was archived is activated, not resumed', () => {
    const history = after(move('ArchiveGoal'), move('RestoreGoal'));
    assert.is(history.refusal(move('ResumeGoal')), 'invalid_state');
    assert.equal(history.all(activate()), ['GoalActivated']);
  });

  test('it rests with its fleet until somebody else has a say in it', () => {
    const byFleet: GoalCommand = { type: 'PauseGoal', data: { ...of, byFleet: true } };
    const history = after(...ways.active, byFleet);
    assert.equal([history.live.status, history.live.pausedByFleet], ['paused', true]);
    history.all(move('ResumeGoal'), move('PauseGoal'));
    assert.is(history.live.pausedByFleet, false);
    history.all(move('ResumeGoal'), byFleet, move('ArchiveGoal'), move('RestoreGoal'));
    assert.equal([history.live.status, history.live.pausedByFleet], ['paused', false]);
  });

  test('of one that has gone people are told, and nothing else follows', () => {
    const history = after(remove());
    for (const command of [remove(), activate(), change({ name: 'X' })])
      assert.is(history.refusal(command), 'not_found');
    assert.equal(history.all(discovered(), competed('ets'), crown('ets')), []);
  });
});
