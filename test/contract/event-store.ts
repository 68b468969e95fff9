import * as assert from 'uvu/assert';
import type { Test } from 'uvu';
import { WrongRevision, type EventStore } from '../../commands/ports/event-store.js';
import { START, type NewFact } from '../../domain/fact.js';
import { suite } from '../suite.js';
import { contents } from './event-store-contents.js';
import { listening, paging } from './event-store-paging.js';
import { facts, ids, newFact, newJournal, pages } from './facts.js';
import { rejection, type Opened } from './opened.js';

/**
 * The contract of the event store port. The store may hold facts of earlier runs; nobody else writes
 * meanwhile.
 */
export const eventStoreContract = (name: string, open: () => Promise<Opened<EventStore>>): void =>
  suite(`event store contract: ${name}`, test => {
    let opened: Opened<EventStore>;
    let store: EventStore;
    test.before(async () => {
      opened = await open();
      store = opened.store;
    });
    test.after(() => opened.close());
    const current = (): EventStore => store;
    appending(test, current);
    racing(test, current);
    contents(test, current);
    paging(test, current);
    listening(test, current);

    test('reopening keeps everything, and an append under way is waited for', async () => {
      if (!opened.reopen) return;
      const journal = newJournal();
      const written = facts(3, { text: 'kept' });
      const { position } = await store.append(journal, START, written);
      const last = store.append(journal, 2, [newFact()]);
      store = await opened.reopen();
      const after = await last;
      const kept = await store.read(journal);
      assert.is(kept.length, 4);
      assert.is(kept[2]!.position, position);
      assert.is(await store.head(), after.position);
      assert.equal(await store.append(journal, START, written), { position });
      assert.ok((await store.append(journal, 3, [newFact()])).position > after.position);
    });
  });

const appending = (test: Test, store: () => EventStore): void => {
  test('an append is read back, oldest first, with journal, revision and position', async () => {
    const journal = newJournal();
    const written = facts(3, { n: 1 });
    const { position } = await store().append(journal, START, written);
    const read = await store().read(journal);
    assert.equal(
      read.map(({ position: _, ...rest }) => rest),
      written.map((fact, i) => ({ ...fact, journal, revision: i })),
    );
    assert.is(read.at(-1)!.position, position);
    assert.ok(
      read.every(
        (fact, i) => Number.isSafeInteger(fact.position) && fact.position > (read[i - 1]?.position ?? START),
      ),
    );
    const next = await store().append(journal, 2, [newFact()]);
    assert.ok(next.position > position);
    assert.equal(
      (await store().read(journal)).map(fact => fact.revision),
      [0, 1, 2, 3],
    );
  });

  test('a journal that does not exist has no facts', async () => {
    assert.equal(await store().read(newJournal()), []);
    assert.equal(await store().read(newJournal(), 3), []);
  });

  test('a journal is read from behind any revision', async () => {
    const journal = newJournal();
    const written = facts(4);
    await store().append(journal, START, written);
    for (const after of [START, 0, 1, 2, 3, 4, 100]) {
      assert.equal(
        (await store().read(journal, after)).map(({ id, revision }) => [id, revision]),
        written.map(({ id }, revision) => [id, revision]).slice(after + 1),
      );
    }
  });

  test('a journal is read in pages, each behind the last revision of the one before', async () => {
    const journal = newJournal();
    const written = facts(7);
    await store().append(journal, START, written);
    const pages: string[][] = [];
    for (let after: number = START; ; ) {
      const page = await store().read(journal, after, 3);
      pages.push(ids(page));
      if (page.length < 3) break;
      after = page.at(-1)!.revision;
    }
    assert.equal(pages, [ids(written.slice(0, 3)), ids(written.slice(3, 6)), ids(written.slice(6))]);
    assert.equal(ids(await store().read(journal, START, 7)), ids(written));
    assert.equal(ids(await store().read(journal, 4, 100)), ids(written.slice(5)));
    assert.equal(await store().read(journal, 6, 3), []);
    assert.equal(await store().read(newJournal(), START, 3), []);
  });

  test('another expected revision is refused, whole, and says so', async () => {
    const journal = newJournal();
    await store().append(journal, START, facts(2));
    for (const expected of [START, 0, 2, 7]) {
      const error = await rejection(store().append(journal, expected, facts(2)));
      assert.instance(error, WrongRevision);
      const { actual, ...named } = error as WrongRevision;
      assert.is(named.journal, journal);
      assert.is(named.expected, expected);
      assert.ok(actual === null || actual === 1);
    }
    assert.instance(await rejection(store().append(newJournal(), 0, facts(1))), WrongRevision);
    assert.is((await store().read(journal)).length, 2);
  });

  test('the same append again resolves as the first did and writes nothing', async () => {
    const journal = newJournal();
    const first = facts(2);
    const second = facts(1);
    const one = await store().append(journal, START, first);
    assert.equal(await store().append(journal, START, first), one);
    const two = await store().append(journal, 1, second);
    assert.equal(await store().append(journal, START, first), one, 'also when more has followed');
    assert.equal(await store().append(journal, 1, second), two);
    assert.equal(ids(await store().read(journal)), ids([...first, ...second]));
  });

  test('a repeat at once with the first resolves alike', async () => {
    const journal = newJournal();
    const written = facts(3);
    const [one, two] = await Promise.all([
      store().append(journal, START, written),
      store().append(journal, START, written),
    ]);
    assert.equal(one, two);
    assert.is((await store().read(journal)).length, 3);
  });

  test('a partial, reordered, longer or moved repeat is no repeat', async () => {
    const journal = newJournal();
    const [a, b] = facts(2) as [NewFact, NewFact];
    await store().append(journal, START, [a, b]);
    const others = [
      [START, [b, a]],
      [START, [a, newFact()]],
      [START, [a, b, newFact()]],
      [0, [a, b]],
      [0, [a]],
    ] as const;
    for (const [expected, again] of others) {
      assert.instance(await rejection(store().append(journal, expected, again)), WrongRevision);
    }
    assert.equal(ids(await store().read(journal)), [a.id, b.id]);
  });
};

const racing = (test: Test, store: () => EventStore): void => {
  test('of 64 writers at one revision exactly one wins', async () => {
    const journal = newJournal();
    const tries = Array.from({ length: 64 }, (_, i) => facts(1 + (i % 3)));
    const ends = await Promise.allSettled(tries.map(written => store().append(journal, START, written)));
    const won = ends.flatMap((end, i) => (end.status === 'fulfilled' ? [tries[i]!] : []));
    assert.is(won.length, 1);
    assert.ok(ends.every(end => end.status === 'fulfilled' || end.reason instanceof WrongRevision));
    assert.equal(ids(await store().read(journal)), ids(won[0]!));
  });

  test('64 writers to journals of their own all succeed, and a loser among them spoils nobody', async () => {
    const before = await store().head();
    const taken = newJournal();
    await store().append(taken, START, [newFact()]);
    const appends = Array.from({ length: 64 }, (_, i) => ({
      journal: newJournal(),
      written: facts(1 + (i % 4)),
    }));
    const ends = await Promise.all(
      appends.map(async ({ journal, written }, i) => {
        if (i % 8 === 3)
          assert.instance(await rejection(store().append(taken, START, facts(2))), WrongRevision);
        return await store().append(journal, START, written);
      }),
    );
    const paged = await pages(store(), before, 50);
    for (const [i, { journal, written }] of appends.entries()) {
      const mine = paged.filter(fact => fact.journal === journal);
      assert.equal(ids(mine), ids(written));
      assert.is(mine.at(-1)!.position, ends[i]!.position);
    }
    assert.is(paged.filter(fact => fact.journal === taken).length, 1);
  });

  test('writers that try again after each lost race leave a journal without gaps', async () => {
    const journal = newJournal();
    const insist = async (fact: NewFact): Promise<void> => {
      for (;;) {
        const revision = (await store().read(journal)).length - 1;
        const error = await store()
          .append(journal, revision, [fact])
          .then(
            () => null,
            (reason: unknown) => reason,
          );
        if (error === null) return;
        assert.instance(error, WrongRevision);
      }
    };
    const written = facts(16);
    await Promise.all(written.map(insist));
    const read = await store().read(journal);
    assert.equal(
      read.map(fact => fact.revision),
      written.map((_, i) => i),
    );
    assert.equal(ids(read).sort(), ids(written).sort());
  });
};
