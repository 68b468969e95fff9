import * as assert from 'uvu/assert';
import { memoryReadModels } from '../../adapters/memory-read-models.js';
import type { Fact } from '../../domain/fact.js';
import type { MarketplaceFact } from '../../domain/marketplace/facts.js';
import { marketplaceProjection as projection } from '../../projections/marketplace/projection.js';
import { applyPage } from '../../projections/engine/apply.js';
import { checkpointName, collectionsOf } from '../../projections/engine/projection.js';
import type { ReadModels } from '../../projections/engine/read-models.js';
import { meta } from '../spec.js';
import { suite } from '../suite.js';

class Killed extends Error {}

const drafted = (listingId: string): MarketplaceFact => ({
  type: 'ListingDrafted',
  data: { listingId, title: 'T', keys: ['k'], streams: [] },
});
const of = (
  type: 'ListingPublished' | 'ListingWithdrawn' | 'SubscriptionEnded',
  listingId: string,
): MarketplaceFact => ({ type, data: { listingId } });
const started = (listingId: string): MarketplaceFact => ({
  type: 'SubscriptionStarted',
  data: { listingId, publisher: 'p' },
});

/** With a subscription that lost the race against the end of its listing, and ends that come after it. */
const said: readonly (readonly [workspace: string, fact: MarketplaceFact])[] = [
  ['p', drafted('lst_1')],
  ['p', drafted('lst_2')],
  ['p', of('ListingPublished', 'lst_1')],
  ['a', started('lst_1')],
  ['b', started('lst_1')],
  ['p', of('ListingPublished', 'lst_2')],
  ['a', started('lst_2')],
  ['a', of('SubscriptionEnded', 'lst_1')],
  ['a', started('lst_1')],
  ['p', of('ListingWithdrawn', 'lst_1')],
  ['c', started('lst_1')],
  ['b', of('SubscriptionEnded', 'lst_1')],
  ['b', started('lst_2')],
  ['a', of('SubscriptionEnded', 'lst_2')],
  ['p', drafted('lst_3')],
  ['p', of('ListingWithdrawn', 'lst_3')],
];
const facts: readonly Fact[] = said.map(([workspace, fact], position) => ({
  ...fact,
  id: `f${position}`,
  journal: 'j',
  revision: position,
  position,
  at: position,
  meta: { ...meta, workspace },
}));

async function run(models: ReadModels, size: number): Promise<void> {
  await models.prepare(collectionsOf(projection, 0));
  for (;;) {
    const at = await models.checkpoint(checkpointName(projection, 0));
    const page = facts.filter(({ position }) => position > at).slice(0, size);
    if (page.length === 0) return;
    await applyPage(projection, models, 0, page);
  }
}

const everything = (models: ReadModels) =>
  Promise.all(
    collectionsOf(projection, 0).map(({ name }) => models.find(name, { where: {}, sort: { by: ['_id'] } })),
  );

suite("the marketplace's projection killed at any write", test => {
  test('ends as one that ran undisturbed', async () => {
    const clean = memoryReadModels();
    await run(clean, 1);
    const expected = await everything(clean);
    assert.equal(
      expected.map(docs => docs.map(({ _id }) => _id)),
      [['b/lst_2'], ['lst_1', 'lst_2', 'lst_3']],
    );
    for (const size of [1, 2, 3, 5, 8, facts.length])
      for (const sizeAfter of [1, 4, facts.length]) {
        for (let killAt = 0, killed = true; killed; killAt++) {
          let writes = 0;
          const models = memoryReadModels(() => {
            if (writes++ === killAt) throw new Killed();
          });
          killed = await run(models, size).then(
            () => false,
            (error: unknown) => {
              assert.instance(error, Killed);
              return true;
            },
          );
          writes = Number.NEGATIVE_INFINITY;
          await run(models, sizeAfter);
          assert.equal(
            await everything(models),
            expected,
            `pages of ${size}, killed at write ${killAt}, then pages of ${sizeAfter}`,
          );
        }
      }
  });
});
