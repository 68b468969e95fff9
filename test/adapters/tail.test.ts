import { randomUUID } from 'node:crypto';
import * as assert from 'uvu/assert';
import { Tail } from '../../adapters/tail.js';
import type { Fact } from '../../domain/fact.js';
import { newFact } from '../contract/facts.js';
import { suite } from '../suite.js';

const fact = (position: number): Fact => ({ ...newFact(), journal: randomUUID(), revision: 0, position });

const filled = (from: number, count: number, letters: number): Tail => {
  const tail = new Tail(from - 1);
  for (let position = from; position < from + count; position++) tail.push(fact(position), letters);
  return tail;
};

/** How many of the newest facts it answers for; every place further back must be null. */
const reach = (tail: Tail, from: number, count: number): number => {
  const pages = Array.from({ length: count }, (_, i) => tail.page(from + i - 1, 2));
  const first = pages.findIndex(page => page !== null);
  for (const [i, page] of pages.entries()) {
    if (i < first) assert.is(page, null);
    else
      assert.equal(
        page!.map(each => each.position),
        [from + i, from + i + 1].filter(position => position < from + count),
      );
  }
  return count - first;
};

suite('the newest facts of a log, in memory', test => {
  test('an empty one answers for nothing', () => assert.is(new Tail().page(-1, 10), null));

  test('it answers right for every place it holds, and for none before', () => {
    assert.is(reach(filled(0, 10, 1), 0, 10), 10);
    assert.is(reach(filled(1_000, 10, 1), 1_000, 10), 10);
    assert.equal(filled(0, 10, 1).page(9, 5), []);
  });

  test('it holds at least 8,192 facts of an ordinary size and never more than twice as many', () => {
    for (const count of [16_384, 16_385, 30_000]) {
      const held = reach(filled(7, count, 500), 7, count);
      assert.ok(held >= 8_192 && held <= 16_384, `${held}`);
    }
  });

  test('it holds at least 16 MiB of text, less one fact, and never more than twice as much', () => {
    const MiB = 1024 * 1024;
    for (const count of [32, 33, 40, 100]) {
      const held = reach(filled(7, count, MiB), 7, count);
      assert.ok(held >= 15 && held <= 32, `${held}`);
    }
  });
});
