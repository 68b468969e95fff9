import * as assert from 'uvu/assert';
import type { TournamentCommand } from '../../../domain/tournaments/commands.js';
import type { TournamentFact } from '../../../domain/tournaments/facts.js';
import { isOpen, progressOf } from '../../../domain/tournaments/state.js';
import { randomOf } from '../../random.js';
import { suite } from '../../suite.js';
import {
  began,
  contestant,
  fail,
  History,
  judgeNow,
  of,
  playedByOther,
  running,
  score,
  started,
} from './given.js';

const types = (facts: readonly TournamentFact[]): string[] => facts.map(({ type }) => type);
function refused(history: History, command: TournamentCommand): string {
  try {
    history.does(command);
    return 'taken';
  } catch (error) {
    return (error as { code: string }).code;
  }
}
const start = { type: 'StartTournament', data: { workspace: 'w', ...started() } } as const;
const cancel = { type: 'CancelTournament', data: of } as const;
const crown = (method: string): TournamentCommand => ({
  type: 'CrownContestant',
  data: { ...of, contestantId: `con_${method}`, reason: 'better on holidays', at: 5 },
});
const all = [score('seasonal_naive', [2, 2, 2]), score('theta', [1, 1, 1]), score('ets', [1.5, 1.4, 1.6])];

suite('a tournament', test => {
  test('begins once, is judged when all are through, and is over', () => {
    const history = running();
    assert.equal(history.does(start), []);
    assert.is(history.known.status, 'running');
    assert.equal(history.does(judgeNow), []);
    for (const each of all) assert.equal(types(history.does(each)), ['ContestantScored']);
    assert.is(history.known.status, 'judging');
    assert.is(progressOf(history.known), 1);
    assert.equal(types(history.does(judgeNow)), ['TournamentCompleted']);
    assert.is(history.known.used?.amount, 1_500);
    for (const later of [judgeNow, all[0]!]) assert.equal(history.does(later), []);
    assert.is(refused(history, cancel), 'invalid_state');
  });

  test('who failed costs nothing; where all did, it failed', () => {
    const history = running();
    history.does(all[0]!);
    history.does(fail('theta', { isPassing: true }));
    history.does(fail('ets'));
    history.does(judgeNow);
    assert.equal([history.known.status, history.known.used?.amount], ['completed', 500]);
    const none = running();
    for (const method of ['seasonal_naive', 'theta', 'ets'] as const) none.does(fail(method));
    assert.equal(types(none.does(judgeNow)), ['TournamentFailed']);
    assert.is(none.known.error?.code, 'no_valid_contestant');
  });

  test('out of the budget is out of the field', () => {
    const contestants = [contestant('seasonal_naive'), contestant('ets', { isOut: true, paid: false })];
    const history = running({ contestants, championBefore: null });
    history.does(all[0]!);
    assert.equal(history.does(all[2]!), []);
    assert.is(history.known.status, 'judging');
    assert.is(history.known.contestants[1]!.status, 'out_of_budget');
  });

  test('called off: what was done is charged, and nothing more is taken', () => {
    const history = running();
    history.does(all[0]!);
    assert.equal(types(history.does(cancel)), ['TournamentCancelled']);
    assert.is(history.known.used?.amount, 500);
    assert.equal(history.does(all[1]!), []);
    assert.equal(history.does({ type: 'BeginTournament', data: { workspace: 'w', ...began() } }), []);
  });

  test('a person crowns who was scored', () => {
    const history = running();
    assert.is(refused(history, crown('ets')), 'invalid_state');
    history.does(all[0]!);
    history.does(all[1]!);
    history.does(fail('ets'));
    history.does(judgeNow);
    assert.is(refused(history, crown('ets')), 'invalid_state');
    assert.is(refused(history, crown('nobody')), 'not_found');
    assert.equal(types(history.does(crown('seasonal_naive'))), ['ContestantCrowned']);
    const { championAfter, runnerUp, decision } = history.known;
    assert.equal([championAfter?.name, runnerUp?.name, decision?.by], ['seasonal_naive', 'theta', 'user']);
    assert.equal(history.does(crown('seasonal_naive')), []);
  });

  test('who is crowned in the place that its replacement kept leaves it the next best', () => {
    const history = playedByOther();
    assert.equal([history.known.decision?.result, history.known.championAfter?.name], ['kept', 'theta']);
    history.does(crown('mstl_ets'));
    const { championAfter, runnerUp } = history.known;
    assert.equal([championAfter?.name, runnerUp?.name], ['mstl_ets', 'ets']);
    assert.equal(history.does(crown('mstl_ets')), []);
    const other = playedByOther();
    other.does(crown('ets'));
    assert.equal([other.known.championAfter?.name, other.known.runnerUp?.name], ['ets', 'theta']);
  });

  test('whatever comes, in whatever order: a fact says what is new, and an end is an end', () => {
    const random = randomOf(19);
    for (let round = 0; round < 300; round++) {
      const history = new History();
      history.does(start);
      for (let i = 0; i < 14; i++) {
        const was = history.known;
        const told = history.does.bind(history);
        const command = random.pick<TournamentCommand>([
          ...[...all, fail('theta'), fail('ets'), judgeNow, cancel, crown('ets')],
          { type: 'BeginTournament', data: { workspace: 'w', ...began() } },
          { type: 'FailTournament', data: { ...of, code: 'x', message: 'y' } },
        ]);
        let facts: readonly TournamentFact[] = [];
        try {
          facts = told(command);
        } catch (error) {
          assert.is((error as { code: string }).code, 'invalid_state');
        }
        if (!isOpen(was.status)) assert.ok(facts.every(({ type }) => type === 'ContestantCrowned'));
        // Said again it is known
        if (facts.length > 0 && command.type !== 'CancelTournament') assert.equal(history.does(command), []);
      }
      const { status, contestants, championAfter } = history.known;
      if (status === 'completed') {
        assert.ok(contestants.every(one => one.status !== 'waiting' && one.status !== 'fitting'));
        assert.ok(championAfter);
      }
    }
  });
});
