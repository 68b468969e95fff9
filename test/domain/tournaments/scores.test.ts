import * as assert from 'uvu/assert';
import { scoreIn } from '../../../domain/tournaments/scores.js';
import { suite } from '../../suite.js';
import { champion, judgeNow, playedByOther, running, score, started } from './given.js';

suite('scores of champions', test => {
  test('are in the metric of the goal', () => {
    const history = running({ contest: { ...started().contest, metric: 'mae' } });
    for (const each of [score('seasonal_naive', [3, 3]), score('theta', [2, 2]), score('ets', [1, 1])])
      history.does(each);
    history.does(judgeNow);
    const { known } = history;
    const { championAfter } = known;
    assert.equal([championAfter?.name, championAfter?.score], ['ets', 1]);
    const inMetric = (metric: 'mae' | 'smape') => scoreIn(known, championAfter!, metric, []);
    assert.equal([inMetric('mae'), inMetric('smape')], [1, 10]);
    assert.is(
      scoreIn(known, { ...championAfter!, model: { kind: 'local', method: 'drift' } }, 'smape', []),
      null,
    );
  });

  test('of one that was judged elsewhere it is as the goal has it, or none', () => {
    const { known } = running();
    const theta = champion('theta');
    assert.is(scoreIn(known, theta, 'crps', [null, { ...theta, score: 7 }]), 7);
    assert.is(scoreIn(known, theta, 'crps', [null, { ...theta, since: 5 }]), null);
  });

  test('of one that defended its place it is of who played its part, where it had none', () => {
    const { known } = playedByOther();
    const theta = { ...champion('theta'), score: null };
    const inMetric = (metric: 'crps' | 'mae') => scoreIn(known, theta, metric, [theta, null]);
    assert.equal([inMetric('crps'), inMetric('mae')], [1, 2]);
    assert.is(scoreIn(known, { ...theta, since: 5 }, 'crps', [theta]), null);
  });
});
