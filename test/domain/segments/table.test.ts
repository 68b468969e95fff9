import * as assert from 'uvu/assert';
import { suite } from '../../suite.js';
import { built, columnOf, feature, input, pointsOf, recipeOf, sourcesOf } from './given.js';

const y = pointsOf([1, 2, null, 4, 7]);

suite('tables of segments', test => {
  test('columns stand in groups of roles, each in order of names', async () => {
    const recipe = recipeOf({
      inputs: [input('b'), input('a')],
      event_streams: [{ stream: 'news', encoding: 'count', half_life_s: 1 }],
      features: [
        feature('z', 'lag', { column: 'y', steps: 1 }),
        feature('f', 'fourier', { period_s: 604800, order: 1 }),
      ],
    });
    const table = await built(recipe, sourcesOf({ signals: { y, a: y, b: pointsOf([5]) } }));
    assert.equal(
      table.columns.map(({ name, role }) => `${name} ${role}`),
      ['y target', 'a past', 'b past', 'news:count event', 'f_sin1 feature', 'f_cos1 feature', 'z feature'],
    );
    assert.equal(columnOf(table, 'z'), [null, 1, 2, null, 4]);
    assert.equal(columnOf(table, 'b'), [5, null, null, null, null]);
    assert.equal(table.csv.split('\n')[0], 'ts,y,a,b,news:count,f_sin1,f_cos1,z');
  });
});
