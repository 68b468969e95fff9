import * as assert from 'uvu/assert';
import { owedAfter, owedAt } from '../../../domain/forecasts/cadence.js';
import { DAY, HOUR, MINUTE } from '../../../domain/time.js';
import { suite } from '../../suite.js';

const MONDAY = Date.UTC(2026, 0, 5);
const hourly = { cadenceS: 3_600, timezone: 'UTC' };
const daily = { cadenceS: 86_400, timezone: 'UTC' };

suite('a cadence that is changed', test => {
  test('owes what was due by then, and nothing that was not', () => {
    const noon = MONDAY + 12 * HOUR;
    assert.is(owedAt(daily, { handled: MONDAY, before: null }, noon), null);
    assert.equal(owedAt(hourly, { handled: noon - HOUR, before: null }, noon), { beat: noon, passed: null });
    assert.equal(owedAt(hourly, { handled: noon - 3 * HOUR, before: null }, noon + MINUTE), {
      beat: noon,
      passed: { first: noon - 2 * HOUR, last: noon - HOUR, count: 2 },
    });
  });

  test('twice, it owes both', () => {
    const midnight = MONDAY + DAY;
    const before = owedAt(daily, { handled: MONDAY, before: null }, midnight + MINUTE);
    const none = { handled: midnight + MINUTE, before };
    assert.is(owedAt(hourly, none, midnight + 2 * MINUTE), before);
    assert.equal(owedAt(hourly, none, midnight + 2 * HOUR), {
      beat: midnight + 2 * HOUR,
      passed: { first: midnight, last: midnight + HOUR, count: 2 },
    });
  });

  test('what was made, or missed, is owed no more', () => {
    const owed = { beat: MONDAY, passed: { first: MONDAY - HOUR, last: MONDAY - HOUR, count: 1 } };
    assert.equal(owedAfter(owed, MONDAY - HOUR), { beat: MONDAY, passed: null });
    assert.is(owedAfter(owed, MONDAY), null);
    assert.is(owedAfter(null, MONDAY), null);
  });
});
