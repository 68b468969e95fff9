import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import * as assert from 'uvu/assert';
import { SharedPages } from '../../adapters/eventstoredb/shared-pages.js';
import { START, type Fact } from '../../domain/fact.js';
import { newFact } from '../contract/facts.js';
import { randomOf, seedFrom } from '../random.js';
import { suite } from '../suite.js';

/** A log with gaps between positions, whose reads take a while: what they see is settled as they begin. */
function log(random: () => number = Math.random) {
  const facts: Fact[] = [];
  const read = { count: 0, delay: () => pause(random() * 3) };
  const pages = new SharedPages(async (after, limit) => {
    read.count++;
    const page = facts.filter(({ position }) => position > after).slice(0, limit);
    await read.delay();
    return page;
  });
  return {
    ...{ facts, read, pages },
    append(data: unknown = {}) {
      const position = (facts.at(-1)?.position ?? 0) + 1 + Math.floor(random() * 100);
      facts.push({ ...newFact(data), journal: randomUUID(), revision: 0, position });
    },
  };
}

suite('EventStoreDB: pages that many read', test => {
  test('each sees every fact once and in order, wherever it begins and however much it takes', async () => {
    const drawn = randomOf(seedFrom('PAGES_SEED'));
    const random = (): number => drawn.next();
    const { facts, read, pages, append } = log(random);
    for (let i = 0; i < 50; i++) append();
    let ended = false;
    let asked = 0;
    const followed = async (limit: number, skipped: number): Promise<Fact[]> => {
      const seen: Fact[] = [];
      for (let at = facts[skipped - 1]?.position ?? START; ; ) {
        const isLast = ended;
        asked++;
        const page = await pages.page(at, limit);
        assert.ok(page.length <= limit);
        seen.push(...page);
        at = page.at(-1)?.position ?? at;
        if (page.length === 0 && isLast) return seen;
        if (page.length === 0 || random() < 0.05) await pause(random() * 5);
      }
    };
    const starts = Array.from({ length: 30 }, (_, i) => ({ limit: 1 + (i % 7) * 8, skipped: (i * 3) % 50 }));
    const following = starts.map(({ limit, skipped }) => followed(limit, skipped));
    for (let i = 0; i < 300; i++) {
      append();
      if (i % 5 === 0) await pause(random() * 4);
    }
    ended = true;
    for (const [i, seen] of (await Promise.all(following)).entries())
      assert.ok(
        JSON.stringify(seen.map(({ id }) => id))
          === JSON.stringify(facts.slice(starts[i]!.skipped).map(({ id }) => id)),
        `follower ${i}`,
      );
    assert.ok(read.count < asked / 2, `${read.count} reads for ${asked} pages`);
  });

  test('those who ask behind the same fact at the same time are answered by one read', async () => {
    const { facts, read, pages, append } = log();
    append();
    const answers = await Promise.all(Array.from({ length: 80 }, () => pages.page(START, 10)));
    assert.equal(
      answers.map(page => page.map(({ id }) => id)),
      answers.map(() => [facts[0]!.id]),
    );
    assert.is(read.count, 1);
    await Promise.all(Array.from({ length: 80 }, () => pages.page(facts[0]!.position, 10)));
    assert.is(read.count, 3, 'that there is nothing more is asked once more, for all who came to the first');
    await pages.page(START, 10);
    assert.is(read.count, 3, 'what was read is kept');
  });

  test('what was appended after a read began is seen by who asks after that', async () => {
    const { read, pages, append } = log();
    read.delay = () => pause(20);
    const early = pages.page(START, 10);
    append();
    assert.is((await pages.page(START, 10)).length, 1);
    assert.is((await early).length, 0);
  });

  test('a read that fails fails for those who wait for it alone', async () => {
    const { read, pages, append } = log();
    append();
    read.delay = () => Promise.reject(new Error('away'));
    const answers = await Promise.allSettled([pages.page(START, 10), pages.page(START, 10)]);
    assert.equal(
      answers.map(({ status }) => status),
      ['rejected', 'rejected'],
    );
    read.delay = () => pause(0);
    assert.is((await pages.page(START, 10)).length, 1);
  });
});
