import { join } from 'node:path';
import Libsql from 'libsql';
import * as assert from 'uvu/assert';
import { embeddedEventStore } from '../../adapters/embedded/event-store.js';
import { StoreUnavailable } from '../../commands/ports/event-store.js';
import { START } from '../../domain/fact.js';
import { facts, ids, newFact, newJournal, pages } from '../contract/facts.js';
import { eventually, rejection } from '../contract/opened.js';
import { suite } from '../suite.js';
import { child, kill, withFolder } from './child.js';

suite('embedded event store', test => {
  test('appends that wait together are one commit: with the first all are there', () =>
    withFolder(async folder => {
      const store = embeddedEventStore(join(folder, 'facts.db'));
      const appends = facts(64).map(fact => store.append(newJournal(), START, [fact]));
      await Promise.race(appends);
      assert.is((await store.page(START, 100)).length, 64);
      await Promise.all(appends);
      await store.close();
    }));

  for (const [what, count, letters] of [
    ['many', 20_000, 1],
    ['large', 120, 500_000],
  ] as const) {
    test(`${what} facts are the same from memory, from the disk and across the border`, () =>
      withFolder(async folder => {
        const file = join(folder, 'facts.db');
        const store = embeddedEventStore(file);
        for (let done = 0; done < count; ) {
          const batch = facts(Math.min(letters > 1 ? 2 : 500, count - done), 'x'.repeat(letters));
          done += batch.length;
          await store.append(newJournal(), START, batch);
        }
        const live = await pages(store, START, 97);
        assert.is(live.length, count);
        await store.close();
        const reopened = embeddedEventStore(file);
        const read = await pages(reopened, START, 1000);
        assert.is(JSON.stringify(live), JSON.stringify(read));
        await reopened.close();
      }));
  }

  test('a disk that refuses: all who wait learn of it, nothing is written, and later all is', () =>
    withFolder(async folder => {
      const file = join(folder, 'facts.db');
      const store = embeddedEventStore(file);
      const blocker = new Libsql(file);
      const appends = facts(3).map(fact => ({ journal: newJournal(), fact }));
      const append = ({ journal, fact }: (typeof appends)[number]): Promise<{ position: number }> =>
        store.append(journal, START, [fact]);
      blocker.exec('BEGIN IMMEDIATE');
      for (const error of await Promise.all(appends.map(each => rejection(append(each)))))
        assert.instance(error, StoreUnavailable);
      blocker.exec('ROLLBACK');
      assert.is(await store.head(), START);
      const ends = await Promise.all(appends.map(append));
      assert.equal(
        ends.map(end => end.position),
        [0, 1, 2],
      );
      blocker.close();
      await store.close();
    }));

  test('a bell that another bell stops is silent at once', () =>
    withFolder(async folder => {
      const store = embeddedEventStore(join(folder, 'facts.db'));
      let rings = 0;
      const stops: (() => void)[] = [];
      store.listen(() => {
        for (const stop of stops) stop();
      });
      stops.push(
        store.listen(() => {
          rings++;
        }),
      );
      await store.append(newJournal(), START, [newFact()]);
      await store.append(newJournal(), START, [newFact()]);
      assert.is(rings, 0);
      await store.close();
    }));

  test('a closed store takes nothing more, and may be closed again', () =>
    withFolder(async folder => {
      const store = embeddedEventStore(join(folder, 'facts.db'));
      await store.close();
      assert.instance(await rejection(store.append(newJournal(), START, [newFact()])), StoreUnavailable);
      await store.close();
    }));

  test('kill -9 in the middle of appends: everything acknowledged is there, and nothing in part', () =>
    withFolder(async folder => {
      const file = join(folder, 'facts.db');
      for (let round = 0; round < 3; round++) {
        const writer = child(`
        const { embeddedEventStore } = await import(adapter('event-store'));
        const { randomUUID } = await import('node:crypto');
        const store = embeddedEventStore(${JSON.stringify(file)});
        const correlation = randomUUID();
        const meta = { workspace: null, actor: 'operator', request: null, correlation, causation: null };
        const fact = n => ({ id: randomUUID(), type: 'ThingHappened', at: Date.now(), data: { n }, meta });
        const write = async () => {
          for (;;) {
            const facts = [1, 2, 3].map(fact);
            await store.append('kill-' + facts[0].id, -1, facts);
            console.log(facts[0].id);
          }
        };
        for (let i = 0; i < 16; i++) void write();`);
        try {
          await eventually('something is acknowledged', () => writer.lines.length > 200);
        } finally {
          await kill(writer);
        }
        const store = embeddedEventStore(file);
        const all = await pages(store, START, 1000);
        const byJournal = grouped(all);
        for (const id of writer.lines) assert.is(byJournal.get(`kill-${id}`)?.length, 3);
        for (const three of byJournal.values())
          assert.equal(
            three.map(fact => fact.revision),
            [0, 1, 2],
          );
        assert.is(new Set(ids(all)).size, all.length);
        await store.close();
      }
    }));
});

const grouped = <T extends { journal: string }>(all: readonly T[]): Map<string, T[]> => {
  const groups = new Map<string, T[]>();
  for (const one of all) groups.set(one.journal, [...(groups.get(one.journal) ?? []), one]);
  return groups;
};
