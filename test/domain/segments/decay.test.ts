import * as assert from 'uvu/assert';
import { LIMITS } from '../../../domain/segments/recipe.js';
import { randomOf, seedFrom } from '../../random.js';
import { suite } from '../../suite.js';
import { built, columnOf, pointsOf, recipeOf, sourcesOf } from './given.js';

const START = Date.UTC(2024, 0, 1);
const HOUR = 3_600_000;

suite('what decays', test => {
  test('is the plain sum over all events, however long or short the half-life is', async () => {
    const random = randomOf(seedFrom('DECAY_SEED'));
    const y = pointsOf(Array(60).fill(1), START, HOUR);
    const { least, most } = LIMITS.half_life_s;
    for (const half_life_s of [least, 0.0015, 1, 60.5, 3_600, 86_400, 1e7, most]) {
      const news = Array.from({ length: 80 }, () => ({
        // Some lie before the table
        time: START + Math.floor((random.next() * 80 - 20) * HOUR),
        value: 1,
      })).concat({ time: START + 5 * HOUR - 1, value: 1 });
      const recipe = recipeOf({
        step_s: 3_600,
        event_streams: [{ stream: 'news', encoding: 'decay', half_life_s }],
      });
      const table = await built(recipe, sourcesOf({ signals: { y }, events: { news } }));
      columnOf(table, 'news:decay').forEach((value, row) => {
        const end = START + (row + 1) * HOUR;
        const expected = news
          .filter(({ time }) => time < end)
          .reduce((sum, { time }) => sum + 2 ** (-(end - time) / (half_life_s * 1_000)), 0);
        const isClose = value !== null && Math.abs(value - expected) <= 1e-12 * Math.max(1, expected);
        assert.ok(isClose, `${half_life_s} s, row ${row}: ${value}, not ${expected}`);
      });
    }
  });
});
