import * as assert from 'uvu/assert';
import type { Test } from 'uvu';
import { connect } from '../../adapters/mongodb/client.js';
import { openMongo } from '../../adapters/mongodb/open.js';
import { Overtaken, type Commit, type ReadModels } from '../../projections/engine/read-models.js';
import { skipped, suite } from '../suite.js';
import { given, newName, page, type Thing } from './documents.js';
import { dropDatabase, newDatabase, type Mongo } from './mongodb.js';
import { rejection } from './opened.js';

/**
 * Two processes on one database: what only a store that several share has to answer, and what BSON makes
 * hard.
 */
function traps(url: string): void {
  const database = newDatabase();
  const open = (): Mongo => openMongo({ url, database, clock: Date.now });
  suite('MongoDB: several processes, odd documents', test => {
    const [a, b] = [open(), open()];
    test.after(async () => {
      await Promise.all([a.close(), b.close()]);
      await dropDatabase(url, database);
    });
    fencing(test, a.models, b.models);
    content(test, a.models);
    sharing(test, a, b, url);
  });
}

const fencing = (test: Test, a: ReadModels, b: ReadModels): void => {
  /** A page that puts one document; without sweeps it goes as a transaction where there are any. */
  const writing = (collection: string, checkpoint: number, fence?: number): Commit =>
    page(collection, checkpoint, {
      changes: [{ collection, put: [{ _id: 'a', _at: checkpoint }], remove: [] }],
      ...(fence !== undefined && { fence }),
    });
  const sweeping = (collection: string, checkpoint: number, fence: number): Commit => ({
    ...writing(collection, checkpoint, fence),
    sweeps: [{ collection, where: { _id: 'b' }, before: checkpoint }],
  });
  const standsAt = async (models: ReadModels, collection: string, position: number): Promise<void> => {
    assert.is(await models.checkpoint(collection), position);
    assert.equal(
      (await models.find(collection, { where: {} })).map(doc => doc._at),
      [position],
    );
  };

  test('a writer with a lower fencing number than was seen is refused and changes nothing', async () => {
    const collection = await given(a, []);
    await a.commit(writing(collection, 1, 7));
    await a.commit(sweeping(collection, 2, 7));
    await b.commit(writing(collection, 3, 9));
    for (const late of [writing(collection, 4, 8), sweeping(collection, 4, 7)]) {
      const error = await rejection(a.commit(late));
      assert.instance(error, Overtaken);
      assert.is((error as Overtaken).fence, late.fence);
      await standsAt(b, collection, 3);
    }
    await b.commit(sweeping(collection, 5, 10));
    assert.instance(await rejection(a.commit(writing(collection, 6, 9))), Overtaken);
    await standsAt(a, collection, 5);
  });

  test('a fencing number may come to a projection that had none', async () => {
    const collection = await given(a, []);
    await a.commit(writing(collection, 1));
    await a.commit(writing(collection, 2, 3));
    await standsAt(a, collection, 2);
  });

  test('of two that write at once the one with the higher number prevails', async () => {
    for (let round = 0; round < 5; round++) {
      const collection = await given(a, []);
      await b.commit(writing(collection, 1, 2));
      const [low, high] = await Promise.allSettled([
        a.commit(writing(collection, 2, 1)),
        b.commit(writing(collection, 3, 2)),
      ]);
      assert.is(low.status, 'rejected');
      assert.is(high.status, 'fulfilled');
      await standsAt(a, collection, 3);
    }
  });
};

const content = (test: Test, models: ReadModels): void => {
  /** Compared as text, which shows the order of members; a server may move `_id` to the front. */
  const text = ({ _id, _at, ...rest }: Thing): string => JSON.stringify(rest);
  const deep = (levels: number): unknown => (levels === 0 ? 1 : [deep(levels - 1)]);

  test('lists and objects hold what BSON cannot: any names, any depth, any text', async () => {
    const docs: Thing[] = [
      {
        _id: 'names',
        object: JSON.parse('{"a.b":1,"$c":{"$d":[]},"":2,"e\\u0000f":3,"__proto__":{"x":1}}') as unknown,
      },
      { _id: 'json', object: { json: '{}' }, list: [{ json: 1 }] },
      { _id: 'deep', list: deep(250) },
      { _id: 'text', list: ['\ud800', 'a\0b', '\udc00'], nul: 'a\0b' },
      { _id: 'order', z: 1, b: { z: 1, a: 2 }, a: 2 },
    ];
    const collection = await given(models, docs);
    const found = await models.load<Thing>(
      collection,
      docs.map(doc => doc._id),
    );
    for (const doc of docs) assert.is(text(found.get(doc._id)!), text(doc));
  });

  test('what is undefined is not stored', async () => {
    const collection = await given(models, [
      { _id: 'a', gone: undefined, object: { gone: undefined, list: [undefined] } },
    ]);
    assert.is(text((await models.find<Thing>(collection, { where: {} }))[0]!), '{"object":{"list":[null]}}');
    assert.is(await models.count(collection, { gone: null }), 1);
  });

  test('a page may be larger than one message', async () => {
    const docs = Array.from({ length: 18 }, (_, i) => ({ _id: `d${i}`, text: 'é'.repeat(500_000) }));
    const collection = await given(models, docs);
    assert.is(await models.count(collection, {}), 18);
    assert.is((await models.load<Thing>(collection, ['d17'])).get('d17')!['text'], docs[17]!.text);
  });

  test('a sweep may take more than one step', async () => {
    const collection = await given(
      models,
      Array.from({ length: 1_203 }, (_, i) => ({ _id: `d${i}`, _at: i })),
    );
    await models.commit(
      page(collection, 2_000, { sweeps: [{ collection, where: { _id: { prefix: 'd' } }, before: 1_200 }] }),
    );
    const left = await models.find(collection, { where: {}, sort: { by: ['_id'] } });
    assert.equal(
      left.map(doc => doc._id),
      ['d1200', 'd1201', 'd1202'],
    );
  });
};

const sharing = (test: Test, a: Mongo, b: Mongo, url: string): void => {
  test('processes that prepare the same collections at once do not disturb each other', async () => {
    const specs = [
      { name: newName('shared'), indexes: [['a', '_id'], ['b']] },
      { name: newName('shared'), indexes: [['c']] },
    ];
    await Promise.all([a, b, a, b].map(({ models }) => models.prepare(specs)));
    await b.models.prepare(specs);
    const made = (await a.models.collections()).filter(name => name.startsWith('shared'));
    assert.equal(made.sort(), specs.map(({ name }) => name).sort());
  });

  test('one process of two sets a key, each time', async () => {
    const { db, close } = connect(url, 'admin');
    const { ferretdbVersion } = await db.command({ buildInfo: 1 });
    await close();
    if (ferretdbVersion !== undefined) {
      console.log();
      return skipped('MongoDB: one process of two sets a key', 'FerretDB 1 does not decide among processes');
    }
    for (let version = 0, round = 0; round < 30; round++) {
      const ends = await Promise.all(
        [a, b, a, b].map(({ kv }, i) => kv.set('contract/shared', i, version, null)),
      );
      assert.is(ends.filter(end => end !== null).length, 1);
      version = ends.find(end => end !== null)!;
    }
  });
};

const { MONGODB_URL } = process.env;
if (MONGODB_URL) traps(MONGODB_URL);
else skipped('MongoDB: several processes, odd documents', 'no MONGODB_URL');
