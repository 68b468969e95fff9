import * as assert from 'uvu/assert';
import { verdictOf, worse } from '../../bench/guard-verdict.js';
import { suite } from '../suite.js';

suite('the guard of the figures', test => {
  test('holds a figure for worse when it is a tenth above the one kept, and not before', () => {
    assert.not(worse(2, 2.19));
    assert.ok(worse(2, 2.21));
    assert.is(verdictOf(2, 2.5), 'worse by 25 %');
  });

  test('says what has become better, so that it can be kept, and what is new', () => {
    assert.is(verdictOf(2, 1.7), 'better: keep it');
    assert.is(verdictOf(2, 1.95), 'as it was');
    assert.is(verdictOf(undefined, 1), 'new');
    assert.not(worse(undefined, 1));
  });

  test('holds a figure that could not be measured for worse', () => assert.ok(worse(2, NaN)));
});
