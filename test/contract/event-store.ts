import { randomUUID } from 'node:crypto';
import fc from 'fast-check';
import * as assert from 'uvu/assert';
import type { Test } from 'uvu';
import {
  MAX_APPEND_BYTES,
  MAX_APPEND_FACTS,
  TooLarge,
  WrongRevision,
  type EventStore,
} from '../../commands/ports/event-store.js';
import { START, type NewFact } from '../../domain/fact.js';
import { suite } from '../suite.js';
import { facts, follow, ids, newFact, newJournal, pages } from './facts.js';
import { eventually, pause, rejection, type Opened } from './opened.js';

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
    limits(test, current);
    content(test, current);
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

const limits = (test: Test, store: () => EventStore): void => {
  const text = (bytes: number): NewFact => newFact('x'.repeat(bytes - 2));

  test('one append holds 1,048,576 bytes of data and not one more', async () => {
    const journal = newJournal();
    const half = MAX_APPEND_BYTES / 2;
    const error = await rejection(
      store().append(journal, START, [text(half), newFact('é'.repeat((half - 2) / 2)), newFact(1)]),
    );
    assert.instance(error, TooLarge);
    assert.is((error as TooLarge).bytes, MAX_APPEND_BYTES + 1);
    assert.equal(await store().read(journal), []);
    await store().append(journal, START, [text(half), newFact('é'.repeat((half - 2) / 2))]);
    assert.is((await store().read(journal)).length, 2);
  });

  test('one append holds 1 to 10,000 facts', async () => {
    const journal = newJournal();
    const most = facts(MAX_APPEND_FACTS);
    await rejection(store().append(journal, START, []));
    await rejection(store().append(journal, START, [...most, newFact()]));
    assert.equal(await store().read(journal), []);
    const { position } = await store().append(journal, START, most);
    const read = await store().read(journal);
    assert.equal(ids(read), ids(most));
    assert.is(read.at(-1)!.position, position);
  });

  test('what is outside the rules is refused', async () => {
    const before = await store().head();
    for (const journal of [
      '',
      '$system-x',
      `contract-${'x'.repeat(992)}`,
      'contract-a\0b',
      'contract-\ud800',
    ]) {
      await rejection(store().append(journal, START, [newFact()]));
    }
    for (const type of ['', '$Thing', 'thing', 'Thing Happened']) {
      await rejection(store().append(newJournal(), START, [newFact({}, type)]));
    }
    await rejection(store().append(newJournal(), START, [{ ...newFact(), id: 'not a uuid' }]));
    for (const at of [1.5, NaN, 2 ** 53])
      await rejection(store().append(newJournal(), START, [{ ...newFact(), at }]));
    for (const expected of [-2, 0.5, NaN])
      await rejection(store().append(newJournal(), expected, [newFact()]));
    for (const data of [undefined, () => 1])
      await rejection(store().append(newJournal(), START, [{ ...newFact(), data }]));
    assert.equal(await store().page(before, 10), []);
  });
};

const content = (test: Test, store: () => EventStore): void => {
  /**
   * Compares as JSON text: it tells -0, key order and own `__proto__` members apart from what merely looks
   * equal.
   */
  const roundTrip = async (data: unknown): Promise<void> => {
    const journal = newJournal();
    const before = await store().head();
    const fact: NewFact = {
      ...newFact(data),
      meta: { ...newFact().meta, request: typeof data === 'string' ? data : null },
    };
    await store().append(journal, START, [fact]);
    for (const back of [(await store().read(journal))[0]!, (await store().page(before, 1))[0]!]) {
      assert.is(JSON.stringify(back.data), JSON.stringify(data));
      assert.is(JSON.stringify(back.meta), JSON.stringify(fact.meta));
      assert.equal(Object.keys(back).sort(), [
        'at',
        'data',
        'id',
        'journal',
        'meta',
        'position',
        'revision',
        'type',
      ]);
      assert.ok(
        Object.is(JSON.stringify(data) === '0' ? back.data : 0, 0),
        'what JSON writes as 0 comes back as 0',
      );
    }
  };
  const deep = (levels: number): unknown => (levels === 0 ? [] : { in: [deep(levels - 1)] });
  const samples: Record<string, unknown> = {
    'U+0000': 'a\0b\0',
    'lone surrogates': 'x\ud800y\udc00',
    'emoji and right-to-left': '👩‍👩‍👧‍👦 שלום مرحبا \u202e',
    'line separators': '\u2028\u2029\r\n\t"\\/',
    noncharacters: '\ufffe\uffff\u{10ffff}',
    '100 kB': 'aé漢😀'.repeat(10_000),
    numbers: [1e-7, 5e-324, 1.7976931348623157e308, 0.1 + 0.2, 2 ** 53 - 1, -(2 ** 53 - 1), 1e21, 0],
    'minus zero': -0,
    null: null,
    false: false,
    empty: [{}, [], ''],
    keys: { '': 1, 'a.b': 2, $c: 3, 'd\0e': 4, '2': 5, '1': 6, 'ü😀': 7 },
    'own __proto__': JSON.parse('{"__proto__":{"a":1},"constructor":2}'),
    deep: deep(200),
  };
  for (const [what, data] of Object.entries(samples))
    test(`data comes back exactly as written: ${what}`, () => roundTrip(data));

  test('any JSON comes back exactly as written', () =>
    fc.assert(fc.asyncProperty(fc.jsonValue({ stringUnit: 'binary' }), roundTrip), { numRuns: 50 }));

  test('times and names of any shape', async () => {
    const journal = `contract-${randomUUID()}.${'k/ü😀% '.repeat(136)}`;
    const times = [0, -62_135_596_800_000, 253_402_300_799_999, 1_790_000_000_001];
    await store().append(
      journal,
      START,
      times.map(at => ({ ...newFact(), at })),
    );
    const read = await store().read(journal);
    assert.equal(
      read.map(fact => fact.at),
      times,
    );
    assert.ok(read.every(fact => fact.journal === journal));
  });
};

const paging = (test: Test, store: () => EventStore): void => {
  test('pages hold every fact once, in order, whatever their size', async () => {
    const before = await store().head();
    const journals = [newJournal(), newJournal(), newJournal()];
    const written: NewFact[] = [];
    for (let i = 0; i < 30; i++) {
      const next = facts(1 + (i % 3));
      const journal = journals[i % 3]!;
      await store().append(journal, (await store().read(journal)).length - 1, next);
      written.push(...next);
    }
    for (const limit of [1, 2, 7, 59, 60, 61, 1000]) {
      const all = await pages(store(), before, limit);
      assert.equal(ids(all), ids(written));
      assert.ok(all.every((fact, i) => fact.position > (all[i - 1]?.position ?? before)));
    }
    const all = await pages(store(), before, 1000);
    assert.is(await store().head(), all.at(-1)!.position);
    assert.equal(await store().page(all[9]!.position, 5), all.slice(10, 15));
    assert.equal(await store().page(await store().head(), 5), []);
  });

  test('paging from START reaches the head', async () => {
    await store().append(newJournal(), START, [newFact()]);
    const all = await pages(store(), START, 1000);
    assert.is(all.at(-1)!.position, await store().head());
    assert.ok(all.every((fact, i) => fact.position > (all[i - 1]?.position ?? START)));
  });

  test('an append is readable as soon as it has resolved', async () => {
    for (let i = 0; i < 20; i++) {
      const before = await store().head();
      const journal = newJournal();
      const { position } = await store().append(journal, START, facts(2));
      assert.is(await store().head(), position);
      assert.is((await store().page(before, 10)).length, 2);
      assert.is((await store().read(journal)).length, 2);
    }
  });
};

const listening = (test: Test, store: () => EventStore): void => {
  test('who pages only when the bell rings sees every fact, also after a silence', async () => {
    const followers = [follow(store(), await store().head()), follow(store(), await store().head())];
    const written: NewFact[] = [];
    for (const round of [1, 40, 1]) {
      const next = facts(round);
      await Promise.all(next.map(fact => store().append(newJournal(), START, [fact])));
      written.push(...next);
      await eventually('every fact was seen', () =>
        followers.every(({ seen }) => seen.length >= written.length),
      );
      await pause(30);
    }
    for (const { seen, stop } of followers) {
      stop();
      assert.equal(ids(seen).sort(), ids(written).sort());
    }
  });

  test('a bell that was stopped is silent', async () => {
    let rings = 0;
    const stop = store().listen(() => {
      rings++;
    });
    await store().append(newJournal(), START, [newFact()]);
    await eventually('the bell rang', () => rings > 0);
    stop();
    const before = rings;
    await store().append(newJournal(), START, [newFact()]);
    await pause(100);
    assert.is(rings, before);
  });
};
