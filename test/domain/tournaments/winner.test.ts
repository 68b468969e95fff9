import * as assert from 'uvu/assert';
import { winnerOf } from '../../../domain/tournaments/winner.js';
import type { TournamentCommand } from '../../../domain/tournaments/commands.js';
import { suite } from '../../suite.js';
import { fail, judgeNow, playedByOther, running, score } from './given.js';

const NAIVE = [2, 2.1, 1.9, 2, 2];
const won = (...commands: TournamentCommand[]) => {
  const history = running();
  for (const command of commands) history.does(command);
  history.does(judgeNow);
  return winnerOf(history.known);
};

suite('who a tournament says is best', test => {
  test('its champion, with what seasonal naive lost beside it', () => {
    const winner = won(
      score('seasonal_naive', NAIVE),
      score('theta', [1, 1.1, 0.9, 1, 1]),
      score('ets', [0.2, 0.3, 0.2, 0.3, 0.2]),
    );
    assert.equal([winner?.name, winner?.model], ['ets', { kind: 'local', method: 'ets' }]);
    assert.equal([winner?.baselineScore, winner?.compared], [2, 3]);
    assert.ok(winner!.score < 0.3);
  });

  test('one that keeps its place where it was judged; nobody where it was not', () => {
    const ets = score('ets', [1.5, 1.5, 1.5, 1.5, 1.6]);
    assert.is(won(score('seasonal_naive', NAIVE), score('theta', [1, 1.1, 0.9, 1, 1]), ets)?.name, 'theta');
    assert.is(won(score('seasonal_naive', NAIVE), fail('theta', { isPassing: true }), ets), null);
  });

  test('one that keeps its place, played by its replacement', () => {
    const winner = winnerOf(playedByOther().known);
    assert.equal([winner?.name, winner?.model], ['mstl_ets', { kind: 'local', method: 'mstl_ets' }]);
  });

  test('nobody where seasonal naive loses as little, or was not judged', () => {
    const theta = score('theta', NAIVE);
    assert.is(won(score('seasonal_naive', NAIVE), theta, fail('ets')), null);
    assert.is(won(fail('seasonal_naive'), theta, fail('ets')), null);
  });
});
