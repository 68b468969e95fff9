import * as assert from 'uvu/assert';
import type { Test } from 'uvu';
import type { EventStore } from '../../commands/ports/event-store.js';
import { START, type NewFact } from '../../domain/fact.js';
import { facts, follow, ids, newFact, newJournal, pages } from './facts.js';
import { eventually, pause } from './opened.js';

export const paging = (test: Test, store: () => EventStore): void => {
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

export const listening = (test: Test, store: () => EventStore): void => {
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
