import * as assert from 'uvu/assert';
import { fold } from '../../../domain/decider.js';
import type { FleetCommand } from '../../../domain/fleets/commands.js';
import { fleets } from '../../../domain/fleets/decider.js';
import { hasNew, planOf } from '../../../domain/fleets/planning.js';
import type { FleetSettings } from '../../../domain/fleets/settings.js';
import { isLive, statusOf, type FleetState, type LiveFleet } from '../../../domain/fleets/state.js';
import { Rejected } from '../../../domain/rejected.js';
import { stored } from '../../spec.js';
import { suite } from '../../suite.js';
import { fleetSettings as settings } from './given.js';

const of = { workspace: 'w', fleetId: 'flt_1' } as const;
const create: FleetCommand = { type: 'CreateFleet', data: { ...of, settings: settings(), owner: 'usr_1' } };
const plan = (entities: readonly string[], beyond = 0): FleetCommand => ({
  type: 'PlanFleet',
  data: { ...of, entities, beyond },
});
const made = (...entities: string[]): FleetCommand => ({
  type: 'NoteFleetGoals',
  data: { ...of, made: entities.map(entity => ({ entity, goalId: `goa_${entity}` })), failed: [] },
});
const failed = (entity: string, code: string): FleetCommand => ({
  type: 'NoteFleetGoals',
  data: { ...of, made: [], failed: [{ entity, code, message: 'so' }] },
});
const move = (type: 'PauseFleet' | 'ResumeFleet'): FleetCommand => ({ type, data: of });
const sync = (by: 'user' | 'auto' = 'user'): FleetCommand => ({ type: 'SyncFleet', data: { ...of, by } });
const remove = (seen: number | null = null): FleetCommand => ({ type: 'DeleteFleet', data: { ...of, seen } });
const change = (over: Partial<FleetSettings>): FleetCommand => ({
  type: 'ChangeFleet',
  data: { ...of, settings: settings(over), seen: null },
});
const settle = (work: 'pause' | 'resume' | 'archive'): FleetCommand => ({
  type: 'SettleFleet',
  data: { ...of, work },
});

/** What commands, given after each other, have led to. */
class History {
  state: FleetState = fleets.initialState;
  get live(): LiveFleet {
    if (!isLive(this.state)) throw new Error('there is no fleet');
    return this.state;
  }
  /** Types of the facts of several commands. @throws Rejected */
  all(...commands: readonly FleetCommand[]): string[] {
    return commands.flatMap(command => {
      const decided = fleets.decide(command, this.state);
      this.state = fold(fleets, this.state, stored(...decided.map(fact => ({ ...fact, at: 1 }))));
      return decided.map(({ type }) => type);
    });
  }
  refusal(command: FleetCommand): string {
    try {
      fleets.decide(command, this.state);
      return 'taken';
    } catch (error) {
      if (error instanceof Rejected) return error.code;
      throw error;
    }
  }
}
const active = (): History => {
  const history = new History();
  history.all(create, plan(['a', 'b']), made('a', 'b'));
  return history;
};

suite('the decider of fleets', test => {
  test('its goals are planned, made part by part, and it is active then', () => {
    const history = new History();
    assert.equal(history.all(create, create), ['FleetCreated']);
    assert.is(statusOf(history.live), 'creating');
    assert.equal(history.all(plan(['a', 'b', 'c']), plan(['d'])), ['FleetPlanned']);
    assert.equal(history.all(made('a'), made('a')), ['FleetGoalsMade']);
    assert.is(statusOf(history.live), 'creating');
    assert.equal(history.all(made('b', 'z', 'c')), ['FleetGoalsMade', 'FleetSynced']);
    assert.equal(
      history.live.made.map(({ entity }) => entity),
      ['a', 'b', 'c'],
    );
    assert.is(statusOf(history.live), 'active');
    assert.equal(history.all(made('d'), plan(['d'])), []);
  });

  test('what failed, or has no room, makes it partial until a sync mends it', () => {
    const history = new History();
    history.all(create, plan(['a', 'b'], 4), made('a'), failed('b', 'insufficient_history'));
    assert.equal([statusOf(history.live), history.live.failed.length], ['partial', 1]);
    assert.equal(history.all(sync()), ['FleetSyncRequested']);
    assert.is(statusOf(history.live), 'syncing');
    assert.equal(history.all(plan(['b']), made('b')), ['FleetPlanned', 'FleetGoalsMade', 'FleetSynced']);
    assert.is(statusOf(history.live), 'active');
    assert.equal(history.all(sync(), plan([])), ['FleetSyncRequested', 'FleetPlanned', 'FleetSynced']);
  });

  test('it rests and goes on; what its goals come to late is nothing', () => {
    const history = active();
    assert.is(history.refusal(move('ResumeFleet')), 'invalid_state');
    assert.equal(history.all(move('PauseFleet')), ['FleetPaused']);
    assert.equal(
      [history.refusal(sync()), history.refusal(move('PauseFleet'))],
      ['invalid_state', 'invalid_state'],
    );
    assert.equal(history.all(sync('auto'), settle('resume')), []);
    assert.equal(history.all(settle('pause'), settle('pause')), ['FleetSettled']);
    assert.equal(history.all(move('ResumeFleet'), settle('resume')), ['FleetResumed', 'FleetSettled']);
    assert.is(statusOf(history.live), 'active');
    const fresh = new History();
    fresh.all(create);
    assert.is(fresh.refusal(move('PauseFleet')), 'invalid_state');
  });

  test('other entities are looked for at once', () => {
    const history = active();
    assert.equal(history.all(change({ name: 'Shops' }), change({ name: 'Shops' })), ['FleetChanged']);
    assert.equal(history.all(change({ entities: ['a', 'c'] })), ['FleetChanged', 'FleetSyncRequested']);
    assert.equal(planOf(history.live, []), { entities: ['c'], beyond: 0 });
    assert.is(history.live.version, 3);
    assert.is(history.refusal(remove(2)), 'version_conflict');
  });

  test('deleted it is once its goals are archived, and nothing follows then', () => {
    const history = active();
    assert.equal(history.all(remove(), remove()), ['FleetDeletionBegan']);
    assert.is(statusOf(history.live), 'deleting');
    assert.equal(
      [history.refusal(sync()), history.refusal(change({ name: 'X' }))],
      ['invalid_state', 'invalid_state'],
    );
    assert.equal(history.all(settle('archive')), ['FleetDeleted']);
    assert.equal(history.all(settle('archive'), plan(['a']), made('a')), []);
    assert.is(history.refusal(sync()), 'not_found');
  });

  test('a plan takes entities in order of their names, as many as there is room for', () => {
    const { live } = active();
    const there = ['d', 'c', 'b', 'e'].map(entity => ({ entity, points: 50 }));
    assert.equal(planOf(live, there), { entities: ['c'], beyond: 2 });
    const like = { ...live, settings: settings({ entities: { pattern: 'd*' }, maxGoals: 9 }) };
    assert.equal(planOf(like, there), { entities: ['d'], beyond: 0 });
  });

  test('of itself a new entity is seen once it has points enough, and one that failed for them again', () => {
    const history = active();
    const there = (points: number) => [
      { entity: 'a', points: 90 },
      { entity: 'c', points },
    ];
    assert.equal([hasNew(history.live, there(39)), hasNew(history.live, there(40))], [false, true]);
    history.all(sync(), plan(['c']), failed('c', 'insufficient_history'));
    assert.equal([hasNew(history.live, there(39)), hasNew(history.live, there(40))], [false, true]);
    history.all(sync(), plan(['c']), failed('c', 'plan_limit_reached'));
    assert.is(hasNew(history.live, there(40)), false);
  });
});
