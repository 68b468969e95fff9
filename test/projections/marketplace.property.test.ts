import fc from 'fast-check';
import * as assert from 'uvu/assert';
import { memoryReadModels } from '../../adapters/memory-read-models.js';
import { memoryEventStore } from '../../adapters/memory.js';
import { handler, type Context } from '../../commands/engine/handle.js';
import { aliasOf } from '../../domain/marketplace/aliases.js';
import { listings } from '../../domain/marketplace/listings.js';
import { subscriptions } from '../../domain/marketplace/subscriptions.js';
import { Rejected } from '../../domain/rejected.js';
import { marketplaceProjection as projection } from '../../projections/marketplace/projection.js';
import { marketplaceQueries } from '../../projections/marketplace/queries.js';
import { applyPage } from '../../projections/engine/apply.js';
import { checkpointName, collectionsOf } from '../../projections/engine/projection.js';
import { reader } from '../../projections/engine/reader.js';
import { suite } from '../suite.js';

const workspaces = ['wsp_a', 'wsp_b', 'wsp_c'];
const ids = ['lst_1', 'lst_2', 'lst_3'];
const names = ['k', 'k:2', 'mkt'];
/** Whose listing it is goes with its id. */
const publisherOf = (id: string) => workspaces[ids.indexOf(id) % 2]!;
const one = <T>(list: readonly T[]) => fc.constantFrom(...list);
const some = fc.subarray(names);
const operation = fc.record({
  do: one([
    'draft',
    'publish',
    'publish',
    'withdraw',
    'subscribe',
    'subscribe',
    'subscribe',
    'unsubscribe',
    'project',
  ] as const),
  id: one(ids),
  workspace: one(workspaces),
  keys: some,
  streams: some,
});
type Operation = typeof operation extends fc.Arbitrary<infer T> ? T : never;
type Naive = Map<
  string,
  { state: string; keys: readonly string[]; streams: readonly string[]; readers: Set<string> }
>;

async function world() {
  const store = memoryEventStore();
  const models = memoryReadModels();
  let facts = 0;
  const handle = handler(store, () => `00000000-0000-4000-8000-${String(facts++).padStart(12, '0')}`);
  await models.prepare(collectionsOf(projection, 0));
  const context = (workspace: string): Context => ({
    workspace,
    actor: 'operator',
    request: null,
    correlation: 'c',
    causation: null,
    at: facts,
  });
  return {
    market: marketplaceQueries(reader(models, projection, () => 0)),
    store,
    models,
    run({ do: what, id: listingId, workspace, keys, streams }: Operation) {
      const publisher = publisherOf(listingId);
      switch (what) {
        case 'draft':
          return handle(
            listings,
            { type: 'DraftListing', data: { workspace: publisher, listingId, title: 'T', keys, streams } },
            context(publisher),
          );
        case 'publish':
          return handle(
            listings,
            { type: 'PublishListing', data: { workspace: publisher, listingId } },
            context(publisher),
          );
        case 'withdraw':
          return handle(
            listings,
            { type: 'WithdrawListing', data: { workspace: publisher, listingId } },
            context(publisher),
          );
        case 'subscribe':
          return handle(
            subscriptions,
            { type: 'StartSubscription', data: { workspace, listingId, publisher } },
            context(workspace),
          );
        case 'unsubscribe':
          return handle(
            subscriptions,
            { type: 'EndSubscription', data: { workspace, listingId } },
            context(workspace),
          );
        case 'project':
          return this.project(2);
      }
    },
    /** `again`: as if the checkpoint of some earlier page had been lost. */
    async project(size: number, again = 0) {
      for (;;) {
        const page = await store.page(
          Math.max(-1, (await models.checkpoint(checkpointName(projection, 0))) - again),
          size,
        );
        if (page.length === 0) return;
        await applyPage(projection, models, 0, page);
        if (page.length < size) return;
      }
    },
  };
}

/** The rules in as few words as possible. */
function naively(naive: Naive, { do: what, id, workspace, keys, streams }: Operation): void {
  const listing = naive.get(id);
  if (what === 'draft' && !listing && keys.length + streams.length > 0)
    naive.set(id, { state: 'draft', keys, streams, readers: new Set() });
  if (what === 'publish' && listing?.state === 'draft') listing.state = 'published';
  if (what === 'withdraw' && listing) Object.assign(listing, { state: 'withdrawn', readers: new Set() });
  if (what === 'subscribe' && listing?.state === 'published' && workspace !== publisherOf(id))
    listing.readers.add(workspace);
  if (what === 'unsubscribe') listing?.readers.delete(workspace);
}

suite('who reads what on the marketplace', test => {
  test('is as a naive model says, whatever was done and however often it is projected', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(operation, { maxLength: 40 }), async operations => {
        const real = await world();
        const naive: Naive = new Map();
        for (const each of operations) {
          await Promise.resolve(real.run(each)).catch((error: unknown) => assert.instance(error, Rejected));
          naively(naive, each);
        }
        await real.project(3);
        for (const [size, again] of [
          [1_000, 0],
          [1_000, 3],
          [1_000, 1_000],
        ] as const) {
          await real.project(size, again);
          for (const workspace of workspaces) await same(real.market, workspace, naive);
        }
      }),
      { numRuns: 300 },
    );
  });
});

async function same(
  market: Awaited<ReturnType<typeof world>>['market'],
  workspace: string,
  naive: Naive,
): Promise<void> {
  const read = [...naive].filter(([, { readers }]) => readers.has(workspace));
  for (const [kind, of] of [
    ['signal', 'keys'],
    ['stream', 'streams'],
  ] as const) {
    const aliases = read.flatMap(([id, listing]) =>
      listing[of].map(key => aliasOf(kind, { listingId: id, key })),
    );
    assert.equal(
      (await market.aliasesOf(workspace, kind)).map(({ alias }) => alias),
      aliases.sort(),
    );
    for (const id of ids)
      for (const key of [...names, 'other']) {
        const alias = aliasOf(kind, { listingId: id, key });
        assert.equal(
          await market.resolve(workspace, kind, alias),
          aliases.includes(alias) ? { workspace: publisherOf(id), key } : null,
        );
      }
    assert.equal(await market.resolve(workspace, kind, 'k'), { workspace, key: 'k' });
  }
  assert.equal(
    (await market.subscriptions(workspace)).map(({ listing }) => listing),
    read.map(([id]) => id).sort(),
  );
  for (const name of names) {
    const naming = (of: 'keys' | 'streams') =>
      [...naive]
        .filter(
          ([id, listing]) =>
            publisherOf(id) === workspace && listing.state !== 'withdrawn' && listing[of].includes(name),
        )
        .map(([id]) => id)
        .sort();
    assert.equal(
      (await market.listingsOf(workspace, [name], [])).map(({ _id }) => _id),
      naming('keys'),
    );
    assert.equal(
      (await market.listingsOf(workspace, [], [name])).map(({ _id }) => _id),
      naming('streams'),
    );
  }
  for (const [id, { readers, state }] of naive) {
    assert.is(await market.subscribers(id), readers.size);
    assert.is((await market.listing(id))?.state, state);
  }
}
