import * as assert from 'uvu/assert';
import type { Test } from 'uvu';
import { START } from '../../domain/fact.js';
import type { ReadModels, Stored, Where } from '../../projections/engine/read-models.js';
import { suite } from '../suite.js';
import { given, newName, page, type Thing } from './documents.js';
import type { Opened } from './opened.js';
import { fencing } from './read-models-fencing.js';
import { querying } from './read-models-queries.js';

const idsOf = async (store: ReadModels, collection: string, where: Where = {}): Promise<string[]> =>
  (await store.find(collection, { where })).map(doc => doc._id).sort();

/**
 * The contract of the read-model port. The store may hold collections of others, but none with the names made
 * here.
 */
export const readModelsContract = (name: string, open: () => Promise<Opened<ReadModels>>): void =>
  suite(`read-models contract: ${name}`, test => {
    let opened: Opened<ReadModels>;
    let store: ReadModels;
    test.before(async () => {
      opened = await open();
      store = opened.store;
    });
    test.after(() => opened.close());
    const current = (): ReadModels => store;
    committing(test, current);
    sweeping(test, current);
    fencing(test, current);
    collections(test, current);
    content(test, current);
    querying(test, current);

    test('reopening keeps everything that was committed', async () => {
      if (!opened.reopen) return;
      const collection = newName('kept');
      const docs = Array.from({ length: 300 }, (_, i) => ({ _id: `d${i}`, _at: i, n: i }));
      await store.prepare([{ name: collection, indexes: [['n']] }]);
      await store.commit(page('kept', 299, { changes: [{ collection, put: docs, remove: [] }] }));
      await store.commit(
        page('kept', 300, { changes: [{ collection, put: [{ _id: 'd1', _at: 300 }], remove: ['d0'] }] }),
      );
      store = await opened.reopen();
      assert.is(await store.checkpoint('kept'), 300);
      assert.is(await store.count(collection, {}), 299);
      assert.equal(await store.find(collection, { where: { n: 7 } }), [docs[7]]);
      assert.equal(await store.load(collection, ['d0', 'd1']), new Map([['d1', { _id: 'd1', _at: 300 }]]));
      await store.prepare([{ name: collection, indexes: [['n']] }]);
      assert.is(await store.count(collection, {}), 299);
    });
  });

const committing = (test: Test, store: () => ReadModels): void => {
  test('a page moves the checkpoint of its projection alone', async () => {
    const one = newName('projection');
    const two = newName('projection');
    assert.is(await store().checkpoint(one), START);
    await store().commit(page(one, 5));
    await store().commit(page(two, 2 ** 53 - 1));
    await store().commit(page(one, 6));
    assert.is(await store().checkpoint(one), 6);
    assert.is(await store().checkpoint(two), 2 ** 53 - 1);
  });

  test('what was put is seen at once by every read; a later put replaces the whole document', async () => {
    const collection = await given(
      store(),
      [
        { _id: 'a', _at: 1, n: 1, gone: true },
        { _id: 'b', _at: 1, n: 1 },
      ],
      [['n']],
    );
    const next = { _id: 'a', _at: 2, n: 2 };
    await store().commit(page(collection, 2, { changes: [{ collection, put: [next], remove: [] }] }));
    const expected = new Map([
      ['a', next],
      ['b', { _id: 'b', _at: 1, n: 1 }],
    ]);
    assert.equal(await store().load(collection, ['a', 'b', 'c']), expected);
    assert.equal(await store().find(collection, { where: { n: 2 } }), [next]);
    assert.is(await store().count(collection, { n: 1 }), 1);
    assert.equal(await store().load(collection, []), new Map());
  });

  test('removing takes a document from every read; what is missing may be removed', async () => {
    const collection = await given(store(), [{ _id: 'a' }, { _id: 'b' }, { _id: 'c' }]);
    await store().load(collection, ['a', 'b', 'c']);
    await store().commit(
      page(collection, 1, { changes: [{ collection, put: [], remove: ['b', 'nothing'] }] }),
    );
    assert.equal([...(await store().load(collection, ['a', 'b', 'c'])).keys()].sort(), ['a', 'c']);
    assert.equal(await idsOf(store(), collection), ['a', 'c']);
    await store().commit(
      page(collection, 2, { changes: [{ collection, put: [{ _id: 'b', _at: 2 }], remove: [] }] }),
    );
    assert.equal(await idsOf(store(), collection), ['a', 'b', 'c']);
  });

  test('changes are taken in the order written, over several collections', async () => {
    const one = await given(store(), []);
    const two = await given(store(), []);
    const put = (collection: string, ...docs: Stored[]) => ({ collection, put: docs, remove: [] });
    await store().commit(
      page(one, 1, {
        changes: [
          put(one, { _id: 'a', _at: 1 }, { _id: 'b', _at: 1 }),
          put(two, { _id: 'a', _at: 2 }),
          { collection: one, put: [], remove: ['a', 'b'] },
          put(one, { _id: 'b', _at: 3 }),
          put(one, { _id: 'b', _at: 4 }),
        ],
      }),
    );
    assert.equal(await store().find(one, { where: {} }), [{ _id: 'b', _at: 4 }]);
    assert.equal(await store().find(two, { where: {} }), [{ _id: 'a', _at: 2 }]);
  });

  test('many documents in one page, loaded and counted', async () => {
    const docs = Array.from({ length: 1_500 }, (_, i) => ({
      _id: `d${i}`,
      n: i % 10,
      text: 'x'.repeat(100),
    }));
    const collection = await given(store(), docs, [['n']]);
    const loaded = await store().load<Thing>(
      collection,
      docs.map(doc => doc._id),
    );
    assert.is(loaded.size, 1_500);
    assert.equal(loaded.get('d1499'), { ...docs[1499], _at: 0 });
    assert.is(await store().count(collection, { n: 3 }), 150);
  });

  test('projections that commit at the same time do not mix', async () => {
    const names = [await given(store(), []), await given(store(), []), await given(store(), [])];
    await Promise.all(
      names.map(async (collection, p) => {
        for (let at = 1; at <= 30; at++) {
          const put = [{ _id: `d${at}`, _at: at, p }];
          await store().commit(
            page(collection, at, { changes: [{ collection, put, remove: [`d${at - 5}`] }] }),
          );
          assert.is((await store().load<Thing>(collection, [`d${at}`])).get(`d${at}`)!['p'], p);
        }
      }),
    );
    for (const collection of names) {
      assert.is(await store().checkpoint(collection), 30);
      assert.is(await store().count(collection, {}), 5);
    }
  });
};

const sweeping = (test: Test, store: () => ReadModels): void => {
  const docs = [
    { _id: 'a', _at: 3, key: 'k' },
    { _id: 'b', _at: 5, key: 'k' },
    { _id: 'c', _at: 6, key: 'k' },
    { _id: 'd', _at: 3, key: 'other' },
  ];

  test('a sweep takes what matches and stands below the position, from every read', async () => {
    const collection = await given(store(), docs, [['key']]);
    await store().load(collection, ['a', 'b', 'c', 'd']);
    await store().commit(page(collection, 7, { sweeps: [{ collection, where: { key: 'k' }, before: 6 }] }));
    assert.equal([...(await store().load(collection, ['a', 'b', 'c', 'd'])).keys()].sort(), ['c', 'd']);
    assert.equal(await idsOf(store(), collection), ['c', 'd']);
    await store().commit(page(collection, 8, { sweeps: [{ collection, where: {}, before: 4 }] }));
    assert.equal(await idsOf(store(), collection), ['c']);
  });

  test('a sweep comes after the changes of its page', async () => {
    const collection = await given(store(), docs);
    const put = [
      { _id: 'e', _at: 5, key: 'k' },
      { _id: 'f', _at: 9, key: 'k' },
      { _id: 'a', _at: 9, key: 'k' },
    ];
    const changes = [{ collection, put, remove: [] }];
    await store().commit(
      page(collection, 9, { changes, sweeps: [{ collection, where: { key: 'k' }, before: 9 }] }),
    );
    assert.equal(await idsOf(store(), collection), ['a', 'd', 'f']);
    assert.equal([...(await store().load(collection, ['b', 'e', 'f'])).keys()], ['f']);
  });

  test('a sweep of several conditions and of another collection', async () => {
    const one = await given(store(), docs);
    const two = await given(store(), docs);
    await store().commit(
      page(one, 9, {
        sweeps: [
          { collection: one, where: { key: { prefix: 'o' }, _id: { gt: 'c' } }, before: 9 },
          { collection: two, where: { key: null }, before: 9 },
          { collection: two, where: { key: { in: ['k'] } }, before: 4 },
        ],
      }),
    );
    assert.equal(await idsOf(store(), one), ['a', 'b', 'c']);
    assert.equal(await idsOf(store(), two), ['b', 'c', 'd']);
  });
};

const collections = (test: Test, store: () => ReadModels): void => {
  test('collections are listed, prepared twice without harm, and dropped with the checkpoint', async () => {
    const before = await store().collections();
    const one = newName('listed');
    const two = newName('listed');
    const specs = [
      { name: one, indexes: [['a', 'b'], ['c']] },
      { name: two, indexes: [] },
    ];
    await store().prepare(specs);
    await store().commit(
      page(one, 4, { changes: [{ collection: one, put: [{ _id: 'x', _at: 4 }], remove: [] }] }),
    );
    await store().prepare([{ name: one, indexes: [['a', 'b'], ['d']] }]);
    assert.is(await store().count(one, {}), 1);
    assert.equal((await store().collections()).sort(), [...before, one, two].sort());
    await store().load(one, ['x']);
    await store().drop([one, newName('missing')], one);
    assert.equal((await store().collections()).sort(), [...before, two].sort());
    assert.is(await store().checkpoint(one), START);
    await store().prepare(specs);
    assert.equal(await store().load(one, ['x']), new Map());
    assert.equal(await store().find(one, { where: {} }), []);
  });

  test('dropped collections leave the checkpoint, a dropped checkpoint leaves the documents', async () => {
    const one = await given(store(), [{ _id: 'a' }]);
    const two = await given(store(), [{ _id: 'a' }]);
    await store().drop([one], null);
    await store().drop([], two);
    assert.is(await store().checkpoint(one), 0);
    assert.is(await store().checkpoint(two), START);
    assert.is(await store().count(two, {}), 1);
  });
};

const content = (test: Test, store: () => ReadModels): void => {
  test('documents come back exactly', async () => {
    const docs: Stored<Thing>[] = [
      {
        _id: 'numbers',
        _at: 2 ** 53 - 1,
        list: [
          1e-7,
          5e-324,
          1.7976931348623157e308,
          0.1 + 0.2,
          2 ** 53 - 1,
          -(2 ** 53 - 1),
          1e21,
          0,
          -1.5,
          1,
        ],
      },
      {
        _id: 'text',
        _at: 0,
        quote: `'"\\`,
        lines: '\u2028\r\n\t',
        emoji: '👩‍👩‍👧‍👦 שלום',
        last: '\uffff\u{10ffff}',
        long: 'aé漢😀'.repeat(10_000),
      },
      {
        _id: 'shapes',
        _at: 1,
        none: null,
        yes: true,
        no: false,
        empty: { list: [], object: {}, text: '' },
        nested: [[{ a: [{ b: null }] }]],
      },
      { _id: `ü😀/%:'" ${'x'.repeat(500)}`, _at: 3, 'ü key': 1, 'with space': { 'quote\'"': 2 } },
    ];
    const collection = await given(store(), docs, [['yes'], ['none']]);
    const same = (found: readonly Stored[]): void => {
      for (const doc of docs)
        assert.equal(
          found.find(other => other._id === doc._id),
          doc,
        );
      assert.is(found.length, docs.length);
    };
    same([
      ...(
        await store().load(
          collection,
          docs.map(doc => doc._id),
        )
      ).values(),
    ]);
    same(await store().find(collection, { where: {} }));
  });
};
