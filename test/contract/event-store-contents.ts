import { randomUUID } from 'node:crypto';
import fc from 'fast-check';
import * as assert from 'uvu/assert';
import type { Test } from 'uvu';
import {
  MAX_APPEND_BYTES,
  MAX_APPEND_FACTS,
  TooLarge,
  type EventStore,
} from '../../commands/ports/event-store.js';
import { START, type NewFact } from '../../domain/fact.js';
import { facts, ids, newFact, newJournal } from './facts.js';
import { rejection } from './opened.js';

/** What an append may hold, and that it comes back as it was. */
export const contents = (test: Test, store: () => EventStore): void => {
  limits(test, store);
  content(test, store);
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
