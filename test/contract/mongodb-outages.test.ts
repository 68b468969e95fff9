import * as assert from 'uvu/assert';
import { StoreUnavailable } from '../../commands/ports/event-store.js';
import { openMongo } from '../../adapters/mongodb/open.js';
import type { Commit } from '../../projections/engine/read-models.js';
import { proxy } from '../servers/proxy.js';
import { skipped, suite } from '../suite.js';
import { given, page } from './documents.js';
import { dropDatabase, newDatabase, type Mongo } from './mongodb.js';
import { rejection } from './opened.js';

/** Some 250 bytes each. */
const docs = (count: number) =>
  Array.from({ length: count }, (_, i) => ({ _id: `d${i}`, _at: 5, kind: 'y', text: 'x'.repeat(200) }));

/** The server goes away, or the line to it is cut, and comes back. */
const outages = (url: string): void =>
  suite('MongoDB: outages', test => {
    const database = newDatabase();
    const { hostname, port } = new URL(url);
    const open = (address: string): Mongo => openMongo({ url: address, database, clock: Date.now });
    const whole = open(url);
    test.after(async () => {
      await whole.close();
      await dropDatabase(url, database);
    });

    /** Over a line of its own, which the test may cut. */
    const onLine = async (
      body: (mongo: Mongo, line: Awaited<ReturnType<typeof proxy>>) => Promise<void>,
    ): Promise<void> => {
      const line = await proxy(hostname, Number(port || 27017));
      const address = new URL(url);
      address.host = `127.0.0.1:${line.port}`;
      address.searchParams.set('directConnection', 'true');
      const mongo = open(address.href);
      try {
        await body(mongo, line);
      } finally {
        await mongo.close();
        await line.close();
      }
    };

    test('a server that is away is unavailable to every call, and found again', () =>
      onLine(async ({ models, kv }, line) => {
        const collection = await given(models, [{ _id: 'a' }]);
        line.cut();
        const calls = [
          models.prepare([{ name: collection, indexes: [] }]),
          models.checkpoint(collection),
          models.load(collection, ['a']),
          models.commit(page(collection, 1)),
          models.commit(page(collection, 1, { fence: 1 })),
          models.collections(),
          models.find(collection, { where: {} }),
          models.count(collection, {}),
          models.drop([collection], collection),
          kv.get('k'),
          kv.set('k', 1, 0, null),
        ];
        for (const error of await Promise.all(calls.map(rejection))) {
          assert.instance(error, StoreUnavailable);
          assert.match(error.message, `127.0.0.1:${line.port}`);
        }
        line.mend();
        assert.equal([...(await models.load(collection, ['a'])).keys()], ['a']);
        assert.is(await models.checkpoint(collection), 0);
        assert.type(await kv.set('k', 1, 0, null), 'number');
      }));

    test('a commit that is cut off anywhere and repeated is as one that was not', () =>
      onLine(async ({ models }, line) => {
        for (const after of [1, 5_000, 20_000, 35_000, 45_000]) {
          const one = await given(whole.models, [{ _id: 'old', kind: 'x' }]);
          const two = await given(whole.models, []);
          const commit: Commit = page(one, 5, {
            changes: [
              { collection: two, put: docs(100), remove: ['d0'] },
              { collection: one, put: docs(80), remove: [] },
            ],
            sweeps: [{ collection: one, where: { kind: 'x' }, before: 5 }],
          });
          await models.checkpoint(one);
          line.cut(after);
          assert.instance(await rejection(models.commit(commit)), StoreUnavailable);
          line.mend();
          assert.is(await whole.models.checkpoint(one), 0, `cut after ${after} bytes`);
          await models.commit(commit);
          assert.is(await whole.models.checkpoint(one), 5);
          assert.is(await whole.models.count(two, {}), 99);
          assert.is(await whole.models.count(one, {}), 80);
          assert.is(await whole.models.count(one, { kind: 'y' }), 80);
        }
      }));
  });

const { MONGODB_URL } = process.env;
if (MONGODB_URL) outages(MONGODB_URL);
else skipped('MongoDB: outages', 'no MONGODB_URL');
