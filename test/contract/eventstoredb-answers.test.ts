import { convertToCommandError } from '@eventstore/db-client';
import { Metadata } from '@grpc/grpc-js';
import * as assert from 'uvu/assert';
import { isRefusal, mayPass, NotSent, Silent, wasNeverSent } from '../../adapters/eventstoredb/failures.js';
import { OutcomeUnknown } from '../../commands/ports/event-store.js';
import { START } from '../../domain/fact.js';
import { never } from '../eventstore-node/settings.js';
import { suite } from '../suite.js';
import { facts, ids, newFact, newJournal } from './facts.js';
import { LONG, onNode } from './on-node.js';
import { rejection } from './opened.js';

suite('EventStoreDB: answers of an unusual kind', test => {
  test('a repeat whose facts are hidden by now has no position: the last of all is given', () =>
    onNode({}, async ({ node, store, other }) => {
      const journal = newJournal();
      const written = facts(2);
      const first = await store.append(journal, START, written);
      await store.append(journal, 1, facts(3));
      await other.client.setStreamMetadata(journal, { truncateBefore: 3 });
      const again = await store.append(journal, START, written);
      assert.ok(again.position >= first.position);
      assert.is(again.position, await store.head());
      node.faults.beforeRead = never;
      assert.instance(await rejection(store.append(journal, START, written)), OutcomeUnknown);
    }));

  test('known ids at a revision that fits are a new append', () =>
    onNode({}, async ({ store }) => {
      const journal = newJournal();
      const written = facts(1);
      await store.append(journal, START, written);
      await store.append(journal, 0, written);
      assert.equal(ids(await store.read(journal)), ids([...written, ...written]));
    }));

  test('other content under a known id: the first stays', () =>
    onNode({}, async ({ store }) => {
      const journal = newJournal();
      const fact = newFact({ v: 1 });
      const first = await store.append(journal, START, [fact]);
      assert.equal(await store.append(journal, START, [{ ...fact, data: { v: 2 } }]), first);
      assert.equal(
        (await store.read(journal)).map(({ data }) => data),
        [{ v: 1 }],
      );
    }));

  test('a journal deleted for good reads as empty and refuses, at once', () =>
    onNode(LONG, async ({ store, other }) => {
      const journal = newJournal();
      await store.append(journal, START, facts(2));
      await other.client.tombstoneStream(journal);
      assert.equal(await store.read(journal), []);
      assert.match((await rejection(store.append(journal, 1, facts(1)))).message, 'was refused');
    }));

  test('a message beyond 16 MiB, metadata included, is not sent', () =>
    onNode(LONG, async ({ node, store }) => {
      let arrived = 0;
      node.faults.beforeStore = async () => {
        arrived++;
      };
      const large = { ...newFact(), meta: { ...newFact().meta, request: 'x'.repeat(3 * 2 ** 20) } };
      const five = Array.from({ length: 5 }, () => ({ ...large, id: newFact().id }));
      await store.append(newJournal(), START, five); // 15 MiB of it
      const error = await rejection(
        store.append(newJournal(), START, [...five, { ...large, id: newFact().id }]),
      );
      assert.instance(error, RangeError);
      assert.match(error.message, 'metadata included');
      assert.is(arrived, 1);
    }));
});

suite('EventStoreDB: what an error means', test => {
  const error = (code: number, details = ''): Error =>
    convertToCommandError(
      Object.assign(new Error(details), { code, details, metadata: new Metadata() }),
    ) as Error;
  const plain = (code: number): Error => Object.assign(new Error('plain'), { code });
  // error, the append may be tried again, the read may, nothing was sent
  const MEANINGS: [string, Error, boolean, boolean, boolean][] = [
    ['14 UnavailableError: dropped', error(14), true, true, false],
    ['14 plain: no server', plain(14), true, true, true],
    ['13 plain: stopped while connecting', plain(13), true, true, true],
    ['13 UnknownError: stopped', error(13, 'Received RST_STREAM with code 0'), true, true, false],
    ['10 TimeoutError: too slow', error(10), true, true, false],
    ['4 DeadlineExceededError', error(4), true, true, false],
    ['1 CancelledError', error(1), true, true, false],
    ['8 UnknownError: message too large', error(8), true, false, false],
    [
      '8 UnknownError: too many calls cancelled',
      error(8, 'Bandwidth exhausted or memory limit exceeded'),
      true,
      true,
      false,
    ],
    ['2 UnknownError', error(2), true, false, false],
    ['3 UnknownError: not possible', error(3), false, false, false],
    ['16 AccessDeniedError', error(16), false, false, false],
    ['7 UnknownError: not allowed', error(7), false, false, false],
    ['no answer in time', new Silent('late'), true, true, false],
    ['no room on the connection', new NotSent('full'), true, true, true],
    ['a mistake of our own', new TypeError('no'), false, false, false],
  ];
  for (const [name, cause, appendAgain, readAgain, unsent] of MEANINGS) {
    test(name, () =>
      assert.equal(
        [!isRefusal(cause), mayPass(cause), wasNeverSent(cause)],
        [appendAgain, readAgain, unsent],
      ),
    );
  }
});
