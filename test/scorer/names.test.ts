import * as assert from 'uvu/assert';
import { createScorer } from '../../adapters/scorer/scorer.js';
import type { Profile, Scorer } from '../../domain/events/scoring.js';
import { suite } from '../suite.js';
import { about, nobody } from './profiles.js';

const TRIP = 'Wind farm trips and the grid loses power';
const POETRY = 'Poetry evening in the village library';
const named: Profile = { ...nobody, names: ['grid-outages', 'wind_generation'], targets: ['netLoad'] };
const termed: Profile = { ...nobody, phrases: ['electricity market'] };

suite('names of streams, signals and goals in a profile', test => {
  let scorer: Scorer;
  test.before(async () => {
    scorer = await createScorer({ threads: 1 });
  });
  test.after(() => scorer.close());
  const relevanceOf = async (text: string, profile: Profile) =>
    (await scorer.score(about(text, profile))).scores.relevance;

  test('alone they say what is relevant, and of nothing that it is not', async () => {
    assert.ok((await relevanceOf(TRIP, named)) > 0.9);
    assert.is(await relevanceOf(POETRY, named), 0.5);
    assert.is(await relevanceOf(TRIP, { ...nobody, names: ['kpi_1', 'kpi_2'] }), 0.5);
  });

  test('beside words of its own they raise a relevance and lower none', async () => {
    for (const text of [TRIP, POETRY, 'Checkout page down for an hour', 'Frost burns young trees']) {
      const own = await relevanceOf(text, termed);
      for (const names of [named.names!, ['kpi_1', 'kpi_2'], ['checkout', 'orders', 'poems']])
        assert.ok((await relevanceOf(text, { ...termed, names })) >= own, `${text}: ${names.join()}`);
    }
    assert.ok((await relevanceOf(TRIP, { ...termed, ...named, phrases: termed.phrases })) > 0.9);
  });

  test('keys are read as words, in any form', async () => {
    const of = (names: string[]) => relevanceOf(TRIP, { ...termed, names });
    assert.is(await of(['wind_generation']), await of(['wind generation']));
    assert.is(await of(['wind.generation', 'wind_generation']), await of(['wind generation']));
    assert.is(await of([]), await relevanceOf(TRIP, termed));
  });
});
