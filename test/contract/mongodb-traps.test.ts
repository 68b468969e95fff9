import { randomUUID } from 'node:crypto';
import * as assert from 'uvu/assert';
import { StoreUnavailable } from '../../commands/event-store.js';
import { connect } from '../../adapters/mongodb/client.js';
import { openMongo } from '../../adapters/mongodb/open.js';
import { START } from '../../domain/fact.js';
import { Overtaken, type Commit, type ReadModels } from '../../projections/read-models.js';
import { proxy } from '../servers/proxy.js';
import { skipped, suite } from '../suite.js';
import { given, newName, page, type Thing } from './documents.js';
import { dropDatabase, newDatabase, type Mongo } from './mongodb.js';
import { rejection } from './opened.js';

const { MONGODB_URL: url } = process.env;
if (url) traps(url);
else skipped('MongoDB: what the contract does not say', 'no MONGODB_URL');

function traps(address: string): void {
  const database = newDatabase();
  const open = (url = address): Mongo => openMongo({ url, database, clock: Date.now });
  const put = (collection: string, checkpoint: number, fence: number | undefined, n: number): Commit =>
    page(collection, checkpoint, { changes: [{ collection, put: [{ _id: 'a', _at: checkpoint, n } as Thing & { _at: number }], remove: [] }], ...(fence !== undefined && { fence }) });
  const held = async (models: ReadModels, collection: string) => (await models.find<Thing>(collection, { where: {} })).map(doc => doc['n']);

  suite('MongoDB: what the contract does not say', test => {
    const a = open(), b = open();
    test.after(async () => {
      await Promise.all([a.close(), b.close()]);
      await dropDatabase(address, database);
    });

    test('a writer with a lower fencing number than was seen is refused and changes nothing', async () => {
      const collection = await given(a.models, []);
      await a.models.commit(put(collection, 1, 7, 1));
      await a.models.commit(put(collection, 2, 7, 2));
      await b.models.commit(put(collection, 3, 9, 3));
      const error = await rejection(a.models.commit(put(collection, 4, 8, 4)));
      assert.instance(error, Overtaken);
      assert.is((error as Overtaken).fence, 8);
      const sweeping = { ...put(collection, 4, 7, 4), sweeps: [{ collection, where: {}, before: 9 }] };
      assert.instance(await rejection(a.models.commit(sweeping)), Overtaken);
      assert.equal(await held(b.models, collection), [3]);
      assert.is(await a.models.checkpoint(collection), 3);
      await b.models.commit({ ...put(collection, 5, 10, 5), sweeps: [{ collection, where: { n: 5 }, before: 6 }] });
      assert.equal(await held(a.models, collection), []);
      assert.is(await a.models.checkpoint(collection), 5);
    });

    test('a fencing number may come to a projection that has none yet, and is never needed', async () => {
      const collection = await given(a.models, []);
      await a.models.commit(put(collection, 1, undefined, 1));
      await a.models.commit(put(collection, 2, 3, 2));
      assert.equal(await held(a.models, collection), [2]);
      assert.is(await a.models.checkpoint(newName('projection')), START);
    });

    test('documents hold what BSON cannot: any member names, depth and text inside', async () => {
      const deep = (levels: number): unknown => levels === 0 ? 1 : [deep(levels - 1)];
      const docs: Thing[] = [
        { _id: 'names', object: JSON.parse('{"a.b":1,"$c":{"$d":[]},"":2,"e\\u0000f":3,"__proto__":{"x":1},"10":4,"9":5}') as unknown },
        { _id: 'json', object: { json: '{}' }, list: [{ json: 1 }] }, { _id: 'deep', list: deep(250) },
        { _id: 'text', list: ['\ud800', 'a\0b', '\udc00'], nul: 'a\0b' }, { _id: 'order', z: 1, a: 2, m: { z: 1, a: 2 } },
      ];
      const collection = await given(a.models, docs);
      const found = await a.models.load(collection, docs.map(doc => doc._id));
      for (const doc of docs) assert.is(JSON.stringify(found.get(doc._id)), JSON.stringify({ _id: doc._id, _at: 0, ...doc, }).replace(/^\{"_id":"(\w+)","_at":0,/, '{"_id":"$1","_at":0,') && ordered(doc));
    });

    test('what is undefined is not stored', async () => {
      const collection = await given(a.models, [{ _id: 'a', gone: undefined, object: { gone: undefined, list: [undefined] } }]);
      assert.is(JSON.stringify(await a.models.find(collection, { where: {} })), '[{"_id":"a","_at":0,"object":{"list":[null]}}]'.replace('"_id":"a","_at":0', '"_at":0,"_id":"a"'));
    });

    test('a page of 40 MB, and a sweep of more than one step', async () => {
      const large = Array.from({ length: 400 }, (_, i) => ({ _id: `l${i}`, text: 'é'.repeat(50_000) }));
      const collection = await given(a.models, large);
      assert.is(await a.models.count(collection, {}), 400);
      assert.is((await a.models.load<Thing>(collection, ['l399'])).get('l399')!['text'], large[399]!.text);
      const many = Array.from({ length: 1_203 }, (_, i) => ({ _id: `m${i}`, _at: i, kind: 'many' }));
      await a.models.commit(page(collection, 1, { changes: [{ collection, put: many, remove: large.map(({ _id }) => _id) }] }));
      await a.models.commit(page(collection, 2, { sweeps: [{ collection, where: { kind: 'many' }, before: 1_200 }] }));
      assert.equal((await a.models.find(collection, { where: {}, sort: { by: ['_id'] } })).map(doc => doc._id), ['m1200', 'm1201', 'm1202']);
    });

    test('processes that prepare the same collections at once do not disturb each other', async () => {
      const specs = [{ name: newName('shared'), indexes: [['a', '_id'], ['b']] }, { name: newName('shared'), indexes: [['c']] }];
      await Promise.all([a, b, a, b].map(({ models }) => models.prepare(specs)));
      await b.models.prepare(specs);
      assert.equal((await a.models.collections()).filter(name => name.startsWith('shared')).sort(), specs.map(({ name }) => name).sort());
    });

    test('a commit cut off anywhere and repeated is as one that was not', async () => {
      const { host, port } = hostOf(address), line = await proxy(host, port);
      const cut = open(`mongodb://127.0.0.1:${line.port}/?directConnection=true`);
      try {
        for (const after of [1, 3_000, 20_000, 40_000, 70_000]) {
          const one = await given(a.models, [{ _id: 'old', kind: 'x' }]), two = await given(a.models, []);
          const docs = (n: number) => Array.from({ length: n }, (_, i) => ({ _id: `d${i}`, _at: 5, kind: 'y', text: 'x'.repeat(200) }));
          const whole: Commit = page(one, 5, {
            changes: [{ collection: two, put: docs(150), remove: ['d0'] }, { collection: one, put: docs(100), remove: [] }],
            sweeps: [{ collection: one, where: { kind: 'x' }, before: 5 }],
          });
          await cut.models.checkpoint(one);
          line.cut(after);
          assert.instance(await rejection(cut.models.commit(whole)), StoreUnavailable);
          line.mend();
          assert.is(await a.models.checkpoint(one), 0);
          await cut.models.commit(whole);
          assert.is(await a.models.checkpoint(one), 5);
          assert.is(await a.models.count(one, { kind: 'y' }), 100);
          assert.is(await a.models.count(one, {}), 100);
          assert.is(await a.models.count(two, {}), 149);
        }
      } finally { await Promise.all([cut.close(), line.close()]); }
    });

    test('a server that is away is unavailable for every call, and found again by itself', async () => {
      const { host, port } = hostOf(address), line = await proxy(host, port);
      const { models, kv, close } = open(`mongodb://127.0.0.1:${line.port}/?directConnection=true`);
      try {
        const collection = await given(models, [{ _id: 'a' }]);
        line.cut();
        const calls = [
          models.prepare([{ name: collection, indexes: [] }]), models.checkpoint(collection), models.load(collection, ['a']), models.collections(),
          models.commit(put(collection, 1, undefined, 1)), models.commit(put(collection, 1, 1, 1)), models.find(collection, { where: {} }),
          models.count(collection, {}), models.drop([collection], collection), kv.get('k'), kv.set('k', 1, 0, null),
        ];
        for (const error of await Promise.all(calls.map(rejection))) {
          assert.instance(error, StoreUnavailable);
          assert.match(error.message, `127.0.0.1:${line.port}`);
        }
        line.mend();
        assert.equal([...(await models.load(collection, ['a'])).keys()], ['a']);
        assert.type(await kv.set('k', 1, 0, null), 'number');
      } finally { await Promise.all([close(), line.close()]); }
    });
  });

  void comparing(address, a => suite('MongoDB: among processes', test => {
    const all = Array.from({ length: 8 }, () => a());
    test.after(async () => {
      await Promise.all(all.map(({ close }) => close()));
      await dropDatabase(address, database);
    });
    test('one of many sets a key, each time', async () => {
      for (let version = 0, round = 0; round < 20; round++) {
        const ends = await Promise.all(all.map(({ kv }, i) => kv.set('shared', i, version, null)));
        assert.is(ends.filter(end => end !== null).length, 1);
        version = ends.find(end => end !== null)!;
      }
    });
  }), open);
}

void randomUUID;
