import * as assert from 'uvu/assert';
import type { TournamentCompleted, TournamentStarted } from '../../../domain/tournaments/facts.js';
import type { TournamentCommand } from '../../../domain/tournaments/commands.js';
import { suite } from '../../suite.js';
import { champion, fail, judgeNow, running, score } from './given.js';

const NAIVE = [2, 2.1, 1.9, 2, 2];
const THETA = [1, 1.1, 0.9, 1, 1];

/** What is judged of a tournament against `theta`, the champion, in which `ets` takes part, too. */
function judged(
  commands: readonly TournamentCommand[],
  over: Partial<TournamentStarted['data']> = {},
): TournamentCompleted['data'] {
  const history = running(over);
  for (const command of commands) history.does(command);
  const [fact] = history.does(judgeNow);
  assert.is(fact?.type, 'TournamentCompleted');
  return (fact as TournamentCompleted).data;
}
const against = (ets: readonly number[], coverage?: number) =>
  judged([score('seasonal_naive', NAIVE), score('theta', THETA), score('ets', ets, coverage)]);

suite('who is the champion', test => {
  test('one that is better in every fold takes the place, by little as it may be', () => {
    const { decision, championAfter, runnerUp, standings } = against([0.99, 1.089, 0.889, 0.992, 0.99]);
    assert.is(decision.result, 'replaced');
    assert.is(decision.reason, 'ets is better than the champion, theta');
    assert.is(championAfter?.name, 'ets');
    assert.is(runnerUp?.name, 'theta');
    assert.equal(
      standings.map(({ contestantId, rank, beatsChampion }) => [contestantId, rank, beatsChampion]),
      [
        ['con_ets', 1, true],
        ['con_theta', 2, false],
        ['con_seasonal_naive', 3, false],
      ],
    );
    assert.ok(standings[0]!.p! < 0.1);
    assert.is(standings[1]!.p, null);
    assert.is(standings[1]!.skill, 0.5);
  });

  test('one that is better by chance does not', () => {
    const { decision, championAfter, standings } = against([0.7, 1.4, 0.8, 1.1, 0.95]);
    assert.is(decision.result, 'kept');
    assert.is(championAfter?.name, 'theta');
    assert.ok(standings[0]!.p! > 0.1);
  });

  test('much better without a sure test: only where the band covers no worse', () => {
    const losses = [0.2, 1.2, 0.3, 1.3, 0.9];
    assert.is(against(losses, 0.8).decision.result, 'replaced');
    assert.is(against(losses, 0.7).decision.result, 'kept');
    assert.is(against(losses, 0.95).decision.result, 'kept');
  });

  test('the champion keeps its place as it is, and a runner-up stands beside it', () => {
    const { championAfter, runnerUp } = against([1.5, 1.5, 1.5, 1.5, 1.6]);
    assert.equal(championAfter, champion('theta'));
    assert.is(runnerUp?.name, 'ets');
  });

  test('without a champion the best is it', () => {
    const commands = [score('seasonal_naive', NAIVE), score('theta', THETA), fail('ets')];
    const { decision, championAfter, standings } = judged(commands, { championBefore: null });
    assert.equal([decision.result, championAfter?.name], ['replaced', 'theta']);
    assert.ok(championAfter?.tournamentId);
    assert.equal(
      standings.map(({ beatsChampion }) => beatsChampion),
      [false, false],
    );
  });

  test('a champion that cannot forecast any more goes; one that fails in passing stays', () => {
    const others = [score('seasonal_naive', NAIVE), score('ets', [3, 3, 3, 3, 3])];
    const gone = judged([...others, fail('theta')]);
    assert.equal([gone.decision.result, gone.championAfter?.name], ['replaced', 'seasonal_naive']);
    for (const why of [{ isPassing: true }, { disqualified: true }]) {
      const kept = judged([...others, fail('theta', why)]);
      assert.equal([kept.decision.result, kept.championAfter?.name], ['kept', 'theta']);
      assert.is(kept.runnerUp?.name, 'seasonal_naive');
    }
  });

  test('what nobody was judged on is left out of the test', () => {
    const commands = [
      score('seasonal_naive', NAIVE),
      score('theta', [1, null, 0.9, 1, 1.05]),
      score('ets', [0.5, null, 0.4, 0.52, 0.5]),
    ];
    assert.is(judged(commands).decision.result, 'replaced');
  });
});
