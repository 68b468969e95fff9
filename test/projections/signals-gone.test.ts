import * as assert from 'uvu/assert';
import { goneThen } from '../../areas/signals-gone.js';
import { Rejected } from '../../domain/rejected.js';
import type { Filter } from '../../projections/catalogue/entries.js';
import { signalsThen } from '../../projections/catalogue/then.js';
import { reader } from '../../projections/engine/reader.js';
import { signalLists } from '../../projections/signals/lists.js';
import { suite } from '../suite.js';
import { aPush, signalsWorld } from './signals-world.js';

const W = 'w';
const MINUTE = 60_000;
const all: Filter = { type: null, group: null, origin: null, search: null };

/** Signals that are pushed, revised and deleted in turn, and what is read of them with small bounds. */
async function world() {
  const { store, models, projection, queries, clock, context, project, commands } = await signalsWorld();
  const start = clock.now;
  const lists = signalLists(reader(models, projection, () => 0));
  const seen = { journals: 0 };
  const counted: typeof store = {
    ...store,
    read: (...of) => {
      seen.journals++;
      return store.read(...of);
    },
  };
  const gone = goneThen(counted, queries, { facts: 6, points: 10 });
  const list = signalsThen(
    { lists, catalogue: { aliases: async () => [] }, queries, gone },
    { signals: 3, ended: 6 },
  );
  return {
    ...{ start, clock, gone, queries, seen },
    async push(key: string, ...values: number[]) {
      clock.now += MINUTE;
      const pairs = values.map((value, i) => [start + i, value] as const);
      await commands.push(W, [aPush(key, pairs)], context(W));
      await project();
      return clock.now;
    },
    async remove(...keys: string[]) {
      clock.now += MINUTE;
      for (const key of keys) await commands.delete(W, key, context(W));
      await project();
      return clock.now;
    },
    async list(asOf: number, filter: Partial<Filter> = {}) {
      const { entries, total, leftOut } = await list(
        W,
        { ...all, ...filter },
        { by: 'key', descending: false },
        { offset: 0, limit: 10, asOf },
      );
      return { keys: entries.map(({ entry }) => entry.key), total, leftOut };
    },
  };
}

const refused = async (what: Promise<unknown>): Promise<Rejected> => {
  try {
    await what;
  } catch (error) {
    if (error instanceof Rejected) return error;
    throw error;
  }
  throw new Error('was not refused');
};

suite('signals that were deleted since, within bounds', test => {
  test('one that is too large is left out of the list, named, and refused alone', async () => {
    const { push, remove, list, gone } = await world();
    await push('shop.large', ...Array.from({ length: 11 }, (_, i) => i));
    await push('shop.small', 1, 2);
    const then = await push('other.live', 3);
    await remove('shop.large', 'shop.small');
    const said = { keys: ['other.live', 'shop.small'], total: 2, leftOut: ['shop.large'] };
    assert.equal(await list(then), said);
    assert.equal(await list(then, { search: 'SMALL' }), { keys: ['shop.small'], total: 1, leftOut: [] });
    const place = { workspace: W, key: 'shop.large' };
    for (const replaced of [false, true])
      assert.is((await refused(gone(place, then, { replaced }))).code, 'too_many_points');
  });

  test('values of revisions count, and are kept for revisions alone', async () => {
    const { push, remove, gone } = await world();
    const read = (asOf: number, replaced: boolean) => gone({ workspace: W, key: 'k' }, asOf, { replaced });
    const moments: number[] = [];
    for (let i = 0; i < 4; i++) moments.push(await push('k', i, i + 1, i + 2));
    await remove('k');
    const [, , third, fourth] = moments;
    const points = (await read(third!, false))!;
    assert.equal([points.points.values, points.replaced], [[2, 3, 4], []]);
    const revisions = (await read(third!, true))!;
    assert.equal(
      revisions.replaced.map(({ was }) => was),
      [
        [0, 1, 2],
        [1, 2, 3],
      ],
    );
    // Three points, and three times three that took their place
    assert.is((await refused(read(fourth!, false))).code, 'too_many_points');
  });

  test('what ended before costs nothing, and no journal is read before a refusal', async () => {
    const { push, remove, list, seen, start } = await world();
    const first = Array.from({ length: 8 }, (_, i) => `shop.${i}`);
    for (const key of first) await push(key, 1);
    const there = await push('other.live', 3);
    const after = await remove(...first);
    seen.journals = 0;
    assert.equal(await list(after), { keys: ['other.live'], total: 1, leftOut: [] });
    assert.is(seen.journals, 0);
    for (const filter of [{}, { group: 'other' }]) {
      const { code, message } = await refused(list(there, filter));
      assert.is(code, 'too_many_signals');
      assert.match(message, /of any group: search for a part of the key, or name a later moment/);
    }
    const searched = await refused(list(there, { search: 'shop.7' }));
    assert.match(searched.message, /More than 6 signals were deleted since: name a later moment/);
    assert.is(seen.journals, 0);
    assert.equal(await list(start, { origin: 'marketplace' }), { keys: [], total: 0, leftOut: [] });
  });

  test('a group narrows those that are there, a search all', async () => {
    const { push, remove, list } = await world();
    for (const key of ['a.1', 'a.2', 'b.1', 'b.2']) await push(key, 1);
    const then = await push('b.3', 1);
    await remove('b.1', 'b.2');
    const { message } = await refused(list(then));
    assert.match(message, /5 fit, with 2 that were deleted since, of any group: name a group or search/);
    assert.equal(await list(then, { group: 'b' }), { keys: ['b.1', 'b.2', 'b.3'], total: 3, leftOut: [] });
    assert.equal((await list(then, { search: '2' })).keys, ['a.2', 'b.2']);
  });
});
