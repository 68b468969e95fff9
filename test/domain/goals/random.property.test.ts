import fc from 'fast-check';
import * as assert from 'uvu/assert';
import { fold } from '../../../domain/decider.js';
import { goals } from '../../../domain/goals/decider.js';
import type { GoalCommand } from '../../../domain/goals/commands.js';
import { HEALTH_REASONS } from '../../../domain/goals/facts.js';
import { Rejected } from '../../../domain/rejected.js';
import { stored } from '../../spec.js';
import { suite } from '../../suite.js';
import { activate, change, competed, create, crown, discovered, History, move, of, remove } from './given.js';

const steps: readonly ((n: number) => GoalCommand)[] = [
  n => activate(n % 2 === 0),
  n => discovered(n % 3 === 0),
  n => competed(n % 3 === 0 ? null : `m${n % 4}`),
  n => crown(`m${n % 4}`),
  n => change(n % 2 === 0 ? { name: `n${n % 5}` } : { target: `t${n % 3}` }),
  () => move('PauseGoal'),
  () => move('ResumeGoal'),
  n => move(n % 3 === 0 ? 'ArchiveGoal' : 'PauseGoal'),
  () => move('RestoreGoal'),
  n => (n % 12 === 0 ? remove() : create),
  n => {
    const some = HEALTH_REASONS.filter((_, i) => (n >> i) % 2 === 1);
    return {
      type: 'NoteHealth',
      data: { ...of, add: some, remove: n % 2 === 0 ? [...HEALTH_REASONS] : [] },
    };
  },
];
const FOLLOWS = ['NoteDiscovered', 'NoteCompeted', 'ChangeChampion', 'NoteHealth'];

suite('whatever happens to a goal', test => {
  test('it is active by the way of activation alone; what follows is never refused nor done twice', () => {
    const moves = fc.array(fc.tuple(fc.nat(steps.length - 1), fc.nat(30)), { minLength: 40, maxLength: 80 });
    let wentActive = 0;
    fc.assert(
      fc.property(moves, sequence => {
        const history = new History();
        history.does(create);
        for (const [step, n] of sequence) {
          const command = steps[step]!(n);
          const before = history.state;
          try {
            history.does(command);
          } catch (error) {
            if (!(error instanceof Rejected)) throw error;
            assert.not.ok(FOLLOWS.includes(command.type), `${command.type} was refused`);
            assert.is(history.state, before);
            continue;
          }
          if (FOLLOWS.includes(command.type))
            assert.equal(goals.decide(command, history.state), [], `${command.type} again`);
          const { state } = history;
          if (state.status === 'none') continue;
          if (state.status === 'active') assert.is.not(state.activatedAt, null);
          if (state.champion) assert.is.not(state.activatedAt, null);
          const known = HEALTH_REASONS.filter(reason => state.reasons.includes(reason));
          assert.equal(state.reasons, known, 'each once, in order');
        }
        wentActive += history.facts.filter(({ type }) => type === 'GoalWentActive').length;
        assert.equal(fold(goals, goals.initialState, stored(...history.facts)), history.state);
      }),
      { numRuns: 300 },
    );
    assert.ok(wentActive > 20, `${wentActive} became active`);
  });
});
