import * as assert from 'uvu/assert';
import type { Test } from 'uvu';
import { START } from '../../domain/fact.js';
import { Overtaken, type Commit, type ReadModels } from '../../projections/engine/read-models.js';
import { given, newName, page } from './documents.js';
import { rejection } from './opened.js';

/** Of several writers of a projection the one with the highest number alone gets through. */
export const fencing = (test: Test, store: () => ReadModels): void => {
  const refused = async (late: Promise<unknown>): Promise<void> =>
    assert.instance(await rejection(late), Overtaken);

  test('a lower fence is refused in every kind of page, and nothing of the page is there', async () => {
    const collection = await given(store(), [{ _id: 'a' }, { _id: 'b' }]);
    const put = [{ _id: 'a', _at: 9 }];
    const kinds: readonly Partial<Commit>[] = [
      {},
      { changes: [{ collection, put, remove: ['b'] }] },
      { sweeps: [{ collection, where: {}, before: 9 }] },
      { changes: [{ collection, put, remove: [] }], sweeps: [{ collection, where: {}, before: 9 }] },
    ];
    await store().commit(page(collection, 5, { fence: 7 }));
    for (const kind of kinds) await refused(store().commit(page(collection, 9, { ...kind, fence: 6 })));
    assert.is(await store().checkpoint(collection), 5);
    assert.equal(
      await store().load(collection, ['a', 'b']),
      new Map(['a', 'b'].map(_id => [_id, { _id, _at: 0 }])),
    );
    await store().commit(page(collection, 9, { ...kinds[3], fence: 7 }));
    assert.is(await store().checkpoint(collection), 9);
    assert.equal([...(await store().load(collection, ['a', 'b'])).keys()], ['a']);
  });

  test('who claims a projection shuts out every lower fence before it has written anything', async () => {
    const name = newName('projection');
    assert.is(await store().checkpoint(name, 3), START);
    await store().commit(page(name, 1, { fence: 3 }));
    assert.is(await store().checkpoint(name, 4), 1);
    await refused(store().commit(page(name, 2, { fence: 3 })));
    await refused(store().checkpoint(name, 3));
    assert.is(await store().checkpoint(name), 1, 'a reader needs no number');
    await store().commit(page(name, 2, { fence: 4 }));
    assert.is(await store().checkpoint(name), 2);
  });

  test('the fence of one projection says nothing of another', async () => {
    const one = newName('projection');
    const two = newName('projection');
    await store().commit(page(one, 1, { fence: 9 }));
    await store().commit(page(two, 1, { fence: 1 }));
    assert.is(await store().checkpoint(two), 1);
  });

  test('of many pages at once that only move checkpoints those with a lower fence are refused', async () => {
    const names = Array.from({ length: 40 }, () => newName('projection'));
    for (const name of names.filter((_, i) => i % 4 === 0)) await store().commit(page(name, 5, { fence: 7 }));
    const moved = await Promise.allSettled(names.map(name => store().commit(page(name, 9, { fence: 6 }))));
    for (const [i, each] of moved.entries()) {
      const isLate = i % 4 === 0;
      assert.is(each.status, isLate ? 'rejected' : 'fulfilled');
      if (each.status === 'rejected') assert.instance(each.reason, Overtaken);
      assert.is(await store().checkpoint(names[i]!), isLate ? 5 : 9);
    }
  });

  test('pages that only move one checkpoint, given at once, leave it where the last one says', async () => {
    const name = newName('projection');
    await Promise.all(Array.from({ length: 20 }, (_, i) => store().commit(page(name, i + 1, { fence: 1 }))));
    assert.is(await store().checkpoint(name), 20);
  });
};
