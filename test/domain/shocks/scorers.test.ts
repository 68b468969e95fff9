import * as assert from 'uvu/assert';
import { scorerOf, scorersIn } from '../../../domain/shocks/weighing.js';
import { suite } from '../../suite.js';

suite('the scorer that events were weighed by', test => {
  const event = { impact: 0.4, importance: null, value: 3, scorerVersion: 'es-2' };

  test('is that of their scores, where these weigh them', () => {
    assert.is(scorerOf({ by: 'impact', mean: 1 }, event), 'es-2');
    for (const by of ['importance', 'value', 'none'] as const)
      assert.is(scorerOf({ by, mean: 1 }, event), null, by);
    assert.is(scorerOf({ by: 'impact', mean: 1 }, { impact: 1, importance: 1, value: null }), null);
  });

  test('of several events each once, in order; null where there is none', () => {
    assert.is(scorersIn(['es-2', null, 'es-1', undefined, 'es-2']), 'es-1, es-2');
    assert.is(scorersIn([null, undefined]), null);
  });
});
