import * as assert from 'uvu/assert';
import { suggestFeatures, type Suggestion } from '../../../domain/segments/suggest.js';
import { randomOf, type Random } from '../../random.js';
import { suite } from '../../suite.js';
import { feature, input, pointsOf, recipeOf, sourcesOf } from './given.js';

/** About normal: mean 0, deviation 1. */
const noise = (random: Random): number =>
  Array.from({ length: 12 }, () => random.next()).reduce((a, b) => a + b, -6);
const series = (random: Random, steps: number, of: (i: number, noise: number) => number): number[] =>
  Array.from({ length: steps }, (_, i) => of(i, noise(random)));
const named = ({ kind, params }: Suggestion): string => `${kind} ${Object.values(params).join(' ')}`;
const DAY = 86_400;

suite('features are suggested', test => {
  test('by what they take off the error on unseen rows: a weekly pattern', async () => {
    const week = [5, 0, 3, 9, 1, 0, 7];
    const y = pointsOf(series(randomOf(1), 400, (i, e) => week[i % 7]! + 0.5 * e));
    const { suggestions, message } = await suggestFeatures(recipeOf(), sourcesOf({ signals: { y } }));
    assert.is(message, null);
    const names = suggestions.map(named);
    assert.ok(
      names.includes('lag y 6') && names.some(name => name.startsWith('fourier 604800')),
      names.join(),
    );
    assert.ok(
      suggestions[0]!.lift > 0.3
        && suggestions.every(({ lift }, i) => i === 0 || lift <= suggestions[i - 1]!.lift),
    );
  });

  test('a driver that comes before the target; none that is in the recipe', async () => {
    const random = randomOf(2);
    const x = series(random, 500, (_, e) => e);
    const y = series(random, 500, (i, e) => 2 * (x[i - 3] ?? 0) + 0.3 * e);
    const sources = sourcesOf({ signals: { y: pointsOf(y), x: pointsOf(x) } });
    const recipe = recipeOf({ inputs: [input('x')] });
    const { suggestions } = await suggestFeatures(recipe, sources);
    assert.is(named(suggestions[0]!), 'lag x 2');
    assert.ok(suggestions[0]!.lift > 0.7);
    const features = [feature('x before', 'lag', { column: 'x', steps: 2 })];
    const then = await suggestFeatures({ ...recipe, features }, sources);
    assert.equal([then.suggestions, then.message?.startsWith('None of')], [[], true]);
  });

  test('of entities together', async () => {
    const random = randomOf(3);
    const signals = Object.fromEntries(
      ['a', 'b', 'c'].map(name => [
        `y__${name}`,
        pointsOf(series(random, 200, (i, e) => 4 * Math.sin((2 * Math.PI * i) / 7) + e)),
      ]),
    );
    const { suggestions } = await suggestFeatures(
      recipeOf({ entity_mode: 'per_entity' }),
      sourcesOf({ signals }),
    );
    assert.match(named(suggestions[0]!), /^(lag y|fourier 604800)/);
  });

  test('or it is said that nothing helps: noise, a random walk, and a constant', async () => {
    let told = 0;
    for (let seed = 10; seed < 30; seed++) {
      let level = 0;
      const walk = series(randomOf(seed), 300, (_, e) => (level += e));
      const signals = { y: pointsOf(seed % 2 ? walk : series(randomOf(seed), 300, (_, e) => e)) };
      const { suggestions, message } = await suggestFeatures(
        recipeOf(),
        sourcesOf({ signals }, Infinity, 100),
      );
      told += suggestions.length;
      assert.is(message === null, suggestions.length > 0);
    }
    assert.ok(told <= 2, `${told} of twenty series were told a feature that does not help`);
    const flat = await suggestFeatures(
      recipeOf(),
      sourcesOf({ signals: { y: pointsOf(series(randomOf(1), 100, () => 3)) } }),
    );
    assert.equal(flat.suggestions, []);
  });

  test('or that there is too little to judge by', async () => {
    const { suggestions, message } = await suggestFeatures(
      recipeOf(),
      sourcesOf({ signals: { y: pointsOf([1, 2, 3, 4]) } }),
    );
    assert.equal([suggestions, message], [[], 'Fewer than 60 rows have all values: nothing can be judged']);
  });

  test('horizons ahead look at what is known then', async () => {
    const y = pointsOf(series(randomOf(4), 400, (i, e) => (i % 7 === 2 ? 10 : 0) + 0.5 * e));
    const recipe = recipeOf({
      step_s: DAY,
      split: { method: 'rolling_origin', folds: 1, horizon: 3, gap: 0 },
    });
    const { suggestions } = await suggestFeatures(recipe, sourcesOf({ signals: { y } }));
    assert.ok(suggestions.map(named).includes('lag y 4'), suggestions.map(named).join());
  });
});
