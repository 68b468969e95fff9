import * as assert from 'uvu/assert';
import { gridOf } from '../../../../domain/maths/series/grid.js';
import { countIntensity, rankIntensity } from '../../../../domain/maths/series/intensity.js';
import { suite } from '../../../suite.js';
import { MONTHLY } from './extracts.js';

suite('event streams as series', test => {
  const grid = gridOf(Date.UTC(2026, 0, 15), Date.UTC(2026, 3, 15), MONTHLY, 10);
  const times = [
    '2026-03-31T23:59Z',
    '2026-01-01',
    '2026-03-01',
    '2026-03-01',
    '2025-12-31',
    '2026-05-01',
  ].map(Date.parse);
  test('counts in each step, in any order, several at one time; outside the grid none', () =>
    assert.equal([...countIntensity(times, grid)], [1, 0, 3, 0]));
  test('sums of rank / 100; an event that is not scored weighs nothing', () =>
    assert.equal([...rankIntensity(times, [50, 100, 25, null, 100, 100], grid)], [1, 0, 0.75, 0]));
  test('no events', () => assert.equal([...countIntensity([], grid)], [0, 0, 0, 0]));
});
