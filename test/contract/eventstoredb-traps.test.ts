import { status } from '@grpc/grpc-js';
import { join } from 'node:path';
import * as assert from 'uvu/assert';
import { serverVersion } from '../../adapters/eventstoredb/client.js';
import { eventStoreDb } from '../../adapters/eventstoredb/event-store.js';
import { OutcomeUnknown, StoreUnavailable, WrongRevision } from '../../commands/ports/event-store.js';
import { START } from '../../domain/fact.js';
import { Failure } from '../eventstore-node/failures.js';
import { startNode } from '../eventstore-node/node.js';
import { never } from '../eventstore-node/settings.js';
import { suite } from '../suite.js';
import { facts, ids, newFact, newJournal, pages } from './facts.js';
import { inFolder, LONG, onNode, SHORT, spawnNode, type NodeProcess } from './on-node.js';
import { eventually, pause, rejection } from './opened.js';

suite('EventStoreDB: one client for the process', test => {
  test('two users share it, and the end of one leaves the appends of the other alone', () =>
    onNode(LONG, async ({ node, store }) => {
      let arrived = 0;
      node.faults.beforeStore = () => {
        arrived++;
        return pause(50);
      };
      const second = await eventStoreDb({ ...LONG, url: node.address });
      const journals = Array.from({ length: 40 }, newJournal);
      const appends = journals.map(journal => store.append(journal, START, facts(2)));
      await eventually('some are under way', () => arrived > 0);
      await second.close();
      await Promise.all(appends);
      assert.is((await pages(store, START, 50)).length, 80);
      assert.is(arrived, 40, 'none had to be repeated');
      assert.instance(await rejection(second.append(newJournal(), START, facts(1))), StoreUnavailable);
    }));

  test('the version of the server is asked through it', () =>
    onNode({ generation: 24 }, async ({ node, store }) => {
      assert.is(await serverVersion(node.address), '24.2.0');
      await store.append(newJournal(), START, facts(1));
    }));

  test('another server is refused while it is open', () =>
    onNode({}, async () => {
      assert.match(
        (await rejection(eventStoreDb({ url: 'esdb://127.0.0.1:1?tls=false' }))).message,
        'one EventStoreDB only',
      );
    }));

  test('a client that was refused on connecting is replaced: it would never append again', () =>
    onNode({}, async ({ node, store }) => {
      let asked = 0;
      node.faults.beforeMethods = async () => {
        if (asked++ === 0) throw new Failure(status.INTERNAL, 'Received RST_STREAM with code 0');
      };
      const journal = newJournal();
      const written = facts(2);
      const appends = [store.append(journal, START, written), store.append(newJournal(), START, facts(1))];
      await Promise.all(appends);
      assert.is(asked, 2);
      assert.equal(ids(await store.read(journal)), ids(written));
    }));

  test('a connection string that hides conflicts is refused', async () => {
    for (const option of ['throwOnAppendFailure', 'throwonappendfailure', 'throw_on_append_failure']) {
      const error = await rejection(eventStoreDb({ url: `esdb://127.0.0.1:1?tls=false&${option}=false` }));
      assert.match(error.message, 'throwOnAppendFailure');
    }
  });
});

type Load = (server: NodeProcess, more: (count: number) => Promise<void>) => Promise<void>;

/**
 * 64 writers to journals of their own, while `happen` does something to the server: what was acknowledged is
 * what is stored.
 */
const underLoad = (limits: typeof LONG, happen: Load): Promise<void> =>
  inFolder(async folder => {
    const server = await spawnNode(join(folder, 'node.db'));
    const url = `esdb://127.0.0.1:${server.port}?tls=false&keepAliveInterval=1000&keepAliveTimeout=1000`;
    const store = await eventStoreDb({ ...limits, url });
    const acknowledged = new Map<string, number>();
    let over = false;
    const write = async (): Promise<void> => {
      const journal = newJournal();
      for (let revision = START; !over; revision++) {
        const fact = newFact('x'.repeat(100_000));
        acknowledged.set(fact.id, (await store.append(journal, revision, [fact])).position);
      }
    };
    const writers = Array.from({ length: 64 }, write);
    const more = async (count: number): Promise<void> => {
      const enough = acknowledged.size + count;
      await eventually(`${count} more appends`, () => acknowledged.size >= enough);
    };
    await happen(server, more);
    over = true;
    await Promise.all(writers);
    const stored = new Map((await pages(store, START, 100)).map(fact => [fact.id, fact.position]));
    assert.equal([...stored].sort(), [...acknowledged].sort());
    await store.close();
    await server.kill();
  });

suite('EventStoreDB: appends whose answer is late or lost', test => {
  test('a late answer: the same append again, stored once', () =>
    onNode({}, async ({ node, store }) => {
      let answers = 0;
      node.faults.beforeAnswer = () => (answers++ === 0 ? pause(600) : Promise.resolve());
      const journal = newJournal();
      const written = facts(3);
      const { position } = await store.append(journal, START, written);
      assert.ok(answers > 1, 'it was tried again');
      await pause(500); // the late answer comes
      const read = await store.read(journal);
      assert.equal(ids(read), ids(written));
      assert.is(read.at(-1)!.position, position);
    }));

  test('no answer ever to what was stored: the journal tells', () =>
    onNode({}, async ({ node, store }) => {
      node.faults.beforeAnswer = never;
      const journal = newJournal();
      const written = facts(2);
      const { position } = await store.append(journal, START, written);
      assert.is((await store.read(journal)).at(-1)!.position, position);
      assert.is((await store.read(journal)).length, 2);
    }));

  test('no answer ever to what was not stored: unknown, and the same append may be sent again', () =>
    onNode({}, async ({ node, store }) => {
      const stored: (() => void)[] = [];
      const { beforeStore } = node.faults;
      node.faults.beforeStore = () => new Promise(resolve => stored.push(resolve));
      const journal = newJournal();
      const written = facts(2);
      assert.instance(await rejection(store.append(journal, START, written)), OutcomeUnknown);
      assert.ok(stored.length > 1, 'it was tried again');
      node.faults.beforeStore = beforeStore;
      const { position } = await store.append(journal, START, written);
      for (const store of stored) store(); // those on their way arrive at last
      await pause(50);
      assert.equal(
        (await store.read(journal)).map(fact => fact.id),
        ids(written),
      );
      assert.is(await store.head(), position);
    }));

  test('no answer, and another was first: a conflict', () =>
    onNode({}, async ({ node, store, other }) => {
      const journal = newJournal();
      await store.append(journal, START, facts(1));
      let arrived = 0;
      node.faults.beforeStore = async () => {
        if (arrived++ > 0) return;
        await other.append(journal, 'SomethingElse');
        await never();
      };
      const error = await rejection(store.append(journal, 0, facts(1)));
      assert.instance(error, WrongRevision);
      assert.is((error as WrongRevision).actual, 1);
    }));

  test('an append that is never sent is not open', async () => {
    const store = await eventStoreDb({ ...SHORT, url: 'esdb://127.0.0.1:1?tls=false' });
    assert.instance(await rejection(store.append(newJournal(), START, facts(1))), StoreUnavailable);
    assert.instance(await rejection(store.read(newJournal())), StoreUnavailable);
    assert.instance(await rejection(store.head()), StoreUnavailable);
    await store.close();
  });

  test('the connection breaks after the append was stored: repeated on the next one, stored once', () =>
    inFolder(async folder => {
      const file = join(folder, 'node.db');
      let node = await startNode({ file });
      const { port } = node;
      const store = await eventStoreDb({ ...LONG, answerWithin: 2_000, url: node.address });
      const journal = newJournal();
      const [first, second] = [facts(2), facts(2)];
      await store.append(journal, START, first);
      node.faults.beforeAnswer = async () => {
        node.stop();
        node = await startNode({ file, port });
      };
      const { position } = await store.append(journal, 1, second);
      const read = await store.read(journal);
      assert.equal(ids(read), ids([...first, ...second]));
      assert.is(read.at(-1)!.position, position);
      // the new server remembers no ids, only what is stored
      assert.equal(await store.append(journal, 1, second), { position });
      assert.equal(await store.append(journal, START, first), { position: read[1]!.position });
      assert.is((await store.read(journal)).length, 4);
      await store.close();
      node.stop();
    }));

  test('64 writers of large facts through kill -9 and restart: nothing lost or doubled', () =>
    underLoad(LONG, async (server, more) => {
      for (let round = 0; round < 3; round++) {
        await more(30);
        await server.restart();
      }
    }));

  test('64 writers of large facts and a server that freezes for a while: the same', () =>
    underLoad({ answerWithin: 500, patience: 60_000 }, async (server, more) => {
      await more(30);
      server.freeze();
      await pause(6_000); // places on the connection run out, then the client notices
      server.thaw();
      await more(30);
    }));
});
