import { join } from 'node:path';
import { status } from '@grpc/grpc-js';
import * as assert from 'uvu/assert';
import { eventStoreDb } from '../../adapters/eventstoredb/event-store.js';
import { toNumber } from '../../adapters/eventstoredb/facts.js';
import { StoreUnavailable } from '../../commands/ports/event-store.js';
import { START } from '../../domain/fact.js';
import { Failure } from '../eventstore-node/failures.js';
import { startNode } from '../eventstore-node/node.js';
import { never } from '../eventstore-node/settings.js';
import { suite } from '../suite.js';
import { facts, follow, ids, newFact, newJournal, pages } from './facts.js';
import { inFolder, LONG, onNode } from './on-node.js';
import { eventually, pause, rejection } from './opened.js';

suite('EventStoreDB: what is in $all beside our facts', test => {
  test('system events, deletes, tombstones and the facts of other programs are stepped over', () =>
    onNode({}, async ({ store, other }) => {
      const [kept, deleted, gone] = [newJournal(), newJournal(), newJournal()];
      const written = [facts(2), facts(2), facts(2), facts(1)];
      await store.append(kept, START, written[0]!);
      await store.append(deleted, START, written[1]!);
      await other.client.deleteStream(deleted);
      // a soft-deleted journal may begin again: two $metadata events
      await store.append(deleted, START, written[3]!);
      await store.append(gone, START, written[2]!);
      await other.client.tombstoneStream(gone);
      const metadata = { at: 1, $correlationId: 'as ours' };
      await other.append(kept, '$system', { metadata });
      await other.append('$of-the-server', 'Ordinary', { metadata });
      await other.append('of-another-program', 'Ordinary');
      const expected = ids([...written[0]!, ...written[1]!, ...written[3]!, ...written[2]!]);
      for (const limit of [1, 3, 100]) assert.equal(ids(await pages(store, START, limit)), expected);
      assert.is(await store.head(), (await pages(store, START, 100)).at(-1)!.position);
      assert.equal(ids(await store.read(deleted)), ids(written[3]!));
    }));

  test('hundreds of events of others between two facts, and after the last, hide nothing', () =>
    onNode(LONG, async ({ store, other }) => {
      const noise = async (): Promise<void> => {
        for (let i = 0; i < 150; i++) await other.append('of-another-program', 'Ordinary');
      };
      await noise();
      assert.is(await store.head(), START);
      assert.equal(await store.page(START, 5), []);
      const { position } = await store.append(newJournal(), START, facts(1));
      await noise();
      const last = await store.append(newJournal(), START, facts(1));
      await noise();
      assert.is(await store.head(), last.position);
      assert.equal(
        (await store.page(START, 1)).map(fact => fact.position),
        [position],
      );
      assert.equal(
        (await store.page(position, 5)).map(fact => fact.position),
        [last.position],
      );
      assert.equal(await store.page(last.position, 5), []);
    }));

  test('a fact as the tools of the server see it', () =>
    onNode({}, async ({ store, other }) => {
      const journal = newJournal();
      const [first, second] = [newFact({ n: 1 }), newFact({ n: 2 })];
      const caused = {
        ...second,
        meta: { ...second.meta, correlation: first.meta.correlation, causation: first.id },
      };
      await store.append(journal, START, [first, caused]);
      const metadata: unknown[] = [];
      for await (const { event } of other.client.readStream(journal)) metadata.push(event?.metadata);
      const { workspace, actor, request, correlation } = first.meta;
      const same = { workspace, actor, request, at: first.at, $correlationId: correlation };
      assert.equal(metadata, [same, { ...same, $causationId: first.id }]);
      const read = await store.read(journal);
      assert.equal(
        read.map(({ at, meta }) => [at, meta]),
        [
          [first.at, first.meta],
          [caused.at, caused.meta],
        ],
      );
    }));

  test('positions that are no number of ours are refused', () => {
    assert.is(toNumber(2n ** 53n - 1n), Number.MAX_SAFE_INTEGER);
    assert.throws(() => toNumber(2n ** 53n), /beyond/);
    assert.throws(() => toNumber(2n ** 63n - 1n), /beyond/);
  });
});

suite('EventStoreDB: reads', test => {
  for (const generation of [23, 24] as const) {
    test(`a position that is no event's is an error at once, generation ${generation}`, () =>
      onNode({ ...LONG, generation }, async ({ store }) => {
        const { position } = await store.append(newJournal(), START, facts(1));
        await store.append(newJournal(), START, facts(1));
        const error = await rejection(store.page(position + 1, 5));
        assert.match(error.message, 'refused');
        assert.not.instance(error, StoreUnavailable);
      }));
  }

  test('a page of nothing is refused: the server would never answer', () =>
    onNode({}, async ({ store }) => {
      for (const limit of [0, -1, 1.5])
        assert.instance(await rejection(store.page(START, limit)), RangeError);
    }));

  test('a server that does not answer: given up in time, and the calls are free again', () =>
    onNode({ maxCalls: 100 }, async ({ node, store }) => {
      const journal = newJournal();
      const written = facts(1);
      await store.append(journal, START, written);
      const { beforeRead } = node.faults;
      node.faults.beforeRead = never;
      const reads = Array.from({ length: 120 }, () => rejection(store.read(journal)));
      for (const error of await Promise.all(reads)) assert.instance(error, StoreUnavailable);
      node.faults.beforeRead = beforeRead;
      // Calls that are not free again are never, however often it is tried
      await eventually('all are answered at once', async () => {
        const reads = await Promise.allSettled(Array.from({ length: 120 }, () => store.read(journal)));
        return reads.every(read => read.status === 'fulfilled' && ids(read.value)[0] === ids(written)[0]);
      });
    }));

  test('a server that says it has had enough of this connection is asked again', () =>
    onNode({}, async ({ node, store }) => {
      const journal = newJournal();
      const written = facts(1);
      await store.append(journal, START, written);
      let asked = 0;
      node.faults.beforeRead = async () => {
        if (asked++ === 0)
          throw new Failure(status.RESOURCE_EXHAUSTED, 'Bandwidth exhausted or memory limit exceeded');
      };
      assert.equal(ids(await store.read(journal)), ids(written));
      assert.is(asked, 2);
    }));

  test('a server that answers late is asked again', () =>
    onNode({}, async ({ node, store }) => {
      const journal = newJournal();
      const written = facts(1);
      await store.append(journal, START, written);
      let asked = 0;
      node.faults.beforeRead = () => (asked++ === 0 ? pause(600) : Promise.resolve());
      assert.equal(ids(await store.read(journal)), ids(written));
      assert.ok(asked > 1);
    }));

  test('hundreds of calls at once, beside the bell, on a connection that carries 100', () =>
    onNode({ ...LONG, maxCalls: 100 }, async ({ node, store }) => {
      let now = 0;
      let most = 0;
      node.faults.beforeRead = async () => {
        most = Math.max(most, ++now);
        await pause(10);
        now--;
      };
      const stop = store.listen(() => {});
      const journals = Array.from({ length: 300 }, newJournal);
      await Promise.all(journals.map(journal => store.append(journal, START, facts(1))));
      const reads = journals.flatMap(journal => [store.read(journal), store.page(START, 1)]);
      const read = await Promise.all(reads);
      assert.ok(read.every(list => list.length === 1));
      assert.ok(most < 60, `${most} reads at once: there is room for others`);
      stop();
    }));
});

suite('EventStoreDB: the bell', test => {
  test('a dropped subscription is opened again, and nothing is missed', () =>
    onNode({ ...LONG, generation: 23, liveBuffer: 16 }, async ({ node, store, other }) => {
      let subscriptions = 0;
      node.faults.beforeSubscribe = async () => {
        subscriptions++;
      };
      const { seen, stop } = follow(store, await store.head());
      await eventually('it subscribed', () => subscriptions === 1);
      const written = facts(400, { text: 'x'.repeat(1_000) });
      await store.append(newJournal(), START, written);
      await eventually('the server dropped it and it came back', () => subscriptions > 1);
      await eventually('all were seen', () => seen.length === written.length);
      const late = newFact();
      await other.append(newJournal(), late.type, {
        id: late.id,
        metadata: { at: late.at, $correlationId: 'c' },
      });
      await eventually('the fact of another process was seen', () => seen.length === written.length + 1);
      assert.equal(ids(seen), [...ids(written), late.id]);
      stop();
    }));

  test('a subscription that is never confirmed: the bell rings all the same', () =>
    onNode({}, async ({ node, store, other }) => {
      node.faults.beforeSubscribe = never;
      let rings = 0;
      const stop = store.listen(() => {
        rings++;
      });
      await pause(1_500); // the log has been looked at
      const before = rings;
      await other.append(newJournal(), 'ThingHappened', { metadata: { at: 1, $correlationId: 'c' } });
      await eventually('it rang', () => rings > before);
      stop();
    }));

  test('the server goes and comes back: the bell is heard again', () =>
    inFolder(async folder => {
      const file = join(folder, 'node.db');
      let subscriptions = 0;
      const faults = {
        beforeSubscribe: async () => {
          subscriptions++;
        },
      };
      const first = await startNode({ file, faults });
      const store = await eventStoreDb({ ...LONG, answerWithin: 500, url: first.address });
      const { seen, stop } = follow(store, START);
      await eventually('it subscribed', () => subscriptions === 1);
      await store.append(newJournal(), START, facts(1));
      first.stop();
      await pause(300);
      const second = await startNode({ file, port: first.port, faults });
      await eventually('it subscribed again', () => subscriptions >= 2);
      await store.append(newJournal(), START, facts(2));
      await eventually('all were seen', () => seen.length === 3);
      stop();
      await store.close();
      second.stop();
    }));

  test('many rings at once are one', () =>
    onNode(LONG, async ({ store }) => {
      let rings = 0;
      const stop = store.listen(() => {
        rings++;
      });
      await Promise.all(Array.from({ length: 200 }, () => store.append(newJournal(), START, facts(1))));
      await pause(200);
      assert.ok(rings > 0 && rings < 200, `${rings} rings`);
      stop();
    }));
});
