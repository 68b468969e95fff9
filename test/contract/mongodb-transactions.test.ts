import * as assert from 'uvu/assert';
import { openMongo } from '../../adapters/mongodb/open.js';
import { Overtaken, type Commit } from '../../projections/engine/read-models.js';
import { replicaSet, type ReplicaSet, type Seen } from '../servers/replica-set.js';
import { skipped, suite } from '../suite.js';
import { given, page } from './documents.js';
import { dropDatabase, newDatabase, type Mongo } from './mongodb.js';
import { rejection } from './opened.js';

const nameOf = (command: Seen): string => Object.keys(command)[0]!;
const signOf = (command: Seen): string => {
  if (command['startTransaction']) return '+';
  return command['autocommit'] === undefined ? '' : '.';
};
/** How the commands of a commit look from the server: `+` starts a transaction, `.` is in it. */
const sketch = (seen: readonly Seen[]): string[] =>
  seen.map(command => {
    const name = nameOf(command);
    const sign = signOf(command);
    return typeof command[name] === 'string' ? `${sign}${name} ${command[name]}` : sign + name;
  });

/**
 * What is sent to a server that takes transactions. Which server stands behind does not matter; it rolls
 * nothing back here.
 */
const transactions = (url: string): void =>
  suite('MongoDB: transactions', test => {
    const database = newDatabase();
    const { hostname, port } = new URL(url);
    let server: ReplicaSet;
    let mongo: Mongo;
    test.before(async () => {
      server = await replicaSet(hostname, Number(port || 27017));
      mongo = openMongo({ url: server.url, database, clock: Date.now });
    });
    test.after(async () => {
      await mongo.close();
      await server.close();
      await dropDatabase(url, database);
    });
    const writing = (one: string, two: string, checkpoint: number, rest: Partial<Commit> = {}): Commit =>
      page(one, checkpoint, {
        changes: [
          { collection: one, put: [{ _id: 'a', _at: checkpoint }], remove: ['b'] },
          { collection: two, put: [{ _id: 'a', _at: checkpoint }], remove: [] },
        ],
        ...rest,
      });
    const collections = async (): Promise<[string, string]> => {
      const made: [string, string] = [await given(mongo.models, []), await given(mongo.models, [])];
      server.seen.length = 0;
      return made;
    };
    const whole = (one: string, two: string): string[] => [
      '+update checkpoints',
      `.update ${one}`,
      `.delete ${one}`,
      `.update ${two}`,
      '.commitTransaction',
    ];

    test('a page is one transaction, its checkpoint in it, by a majority', async () => {
      const [one, two] = await collections();
      await mongo.models.commit(writing(one, two, 3));
      assert.equal(sketch(server.seen), whole(one, two));
      assert.is(new Set(server.seen.map(command => String(command['txnNumber']))).size, 1);
      assert.equal(
        server.seen.flatMap(command => command['writeConcern']?.w ?? []),
        ['majority'],
      );
      assert.is(server.seen.at(-1)!['writeConcern'].w, 'majority');
      assert.is(await mongo.models.checkpoint(one), 3);
      assert.is(await mongo.models.count(two, { _at: 3 }), 1);
    });

    test('a page that sweeps is one for each step, under the fence; its checkpoint comes last', async () => {
      const [one, two] = await collections();
      await mongo.models.commit(
        writing(one, two, 3, { sweeps: [{ collection: two, where: {}, before: 4 }], fence: 1 }),
      );
      assert.equal(sketch(server.seen), [
        '+update checkpoints',
        `.update ${one}`,
        `.delete ${one}`,
        `.update ${two}`,
        '.commitTransaction',
        `find ${two}`,
        '+update checkpoints',
        `.delete ${two}`,
        '.commitTransaction',
        'update checkpoints',
      ]);
    });

    test('a writer that is overtaken between two steps sweeps nothing more', async () => {
      const [one, two] = await collections();
      const sweeps = [{ collection: two, where: {}, before: 4 }];
      let looks = 0;
      // What a server says when another has written a higher number meanwhile
      const higher = { index: 0, code: 11000, errmsg: 'duplicate key' };
      server.answer = command =>
        command['update'] !== 'checkpoints' || ++looks < 2 ? null : { ok: 1, n: 0, writeErrors: [higher] };
      const late = mongo.models.commit(writing(one, two, 3, { sweeps, fence: 1 }));
      assert.instance(await rejection(late), Overtaken);
      assert.equal(sketch(server.seen).slice(5), [`find ${two}`, '+update checkpoints', '.abortTransaction']);
      server.answer = () => null;
    });

    test('an overtaken writer ends its transaction before it writes', async () => {
      const [one, two] = await collections();
      await mongo.models.commit(writing(one, two, 3, { fence: 5 }));
      server.seen.length = 0;
      assert.instance(await rejection(mongo.models.commit(writing(one, two, 4, { fence: 4 }))), Overtaken);
      assert.equal(sketch(server.seen), ['+update checkpoints', '.abortTransaction']);
      assert.is(await mongo.models.checkpoint(one), 3);
    });

    test('a transaction that met another is tried again from its start', async () => {
      const [one, two] = await collections();
      let conflicts = 2;
      server.answer = command =>
        command['update'] !== two || conflicts-- <= 0
          ? null
          : {
              ok: 0,
              code: 112,
              codeName: 'WriteConflict',
              errmsg: 'write conflict',
              errorLabels: ['TransientTransactionError'],
            };
      await mongo.models.commit(writing(one, two, 3));
      const tried = [...whole(one, two).slice(0, -1), '.abortTransaction'];
      assert.equal(sketch(server.seen), [...tried, ...tried, ...whole(one, two)]);
      assert.is(new Set(server.seen.map(command => String(command['txnNumber']))).size, 3);
    });

    test('a commit whose end is not known is asked for again', async () => {
      const [one, two] = await collections();
      let lost = 1;
      server.answer = command =>
        command['commitTransaction'] === undefined || lost-- <= 0
          ? null
          : {
              ok: 0,
              code: 189,
              codeName: 'PrimarySteppedDown',
              errmsg: 'stepped down',
              errorLabels: ['RetryableWriteError'],
            };
      await mongo.models.commit(writing(one, two, 3));
      assert.equal(sketch(server.seen), [...whole(one, two), '.commitTransaction']);
    });
  });

const { MONGODB_URL } = process.env;
if (MONGODB_URL) transactions(MONGODB_URL);
else skipped('MongoDB: transactions', 'no MONGODB_URL');
