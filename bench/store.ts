import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Libsql from 'libsql';
import { embeddedEventStore } from '../adapters/embedded/event-store.js';
import type { EventStore } from '../commands/ports/event-store.js';
import { START, type NewFact } from '../domain/fact.js';

/**
 * The embedded event store against plain libsql doing the same inserts and reads, in alternated rounds of one
 * run; prints the median of the rounds. `node dist/bench/store.js [rounds]`
 */
const ROUNDS = Number(process.argv[2] ?? 5);
const MILLISECONDS = 1_000;
const TEXT = 'The central bank left its rates unchanged, and said so at some length. '.repeat(5);
const SCHEMA = `CREATE TABLE facts (
  position INTEGER PRIMARY KEY, journal TEXT NOT NULL, revision INTEGER NOT NULL, id TEXT NOT NULL,
  type TEXT NOT NULL, at INTEGER NOT NULL, data TEXT NOT NULL, meta TEXT NOT NULL,
  UNIQUE (journal, revision))`;

const newFact = (): NewFact => ({
  id: randomUUID(),
  type: 'EventRecorded',
  at: Date.now(),
  data: { key: 'stream-17', text: TEXT, occurredAt: 1_790_000_000_123, value: null },
  meta: {
    workspace: 'ws_1',
    actor: 'token:tok_1',
    request: randomUUID(),
    correlation: randomUUID(),
    causation: null,
  },
});

let journals = 0;
const newJournal = (): string => `event-ws_1.evt_${(++journals).toString(36).padStart(9, '0')}`;

/** Runs `step` again and again for a second; answers how many facts a second went through. */
const perSecond = async (step: () => number | Promise<number>): Promise<number> => {
  const start = performance.now();
  let facts = 0;
  let spent = 0;
  while (spent < MILLISECONDS) {
    facts += await step();
    spent = performance.now() - start;
  }
  return (facts / spent) * 1000;
};

const writers = (store: EventStore, count: number): Promise<number> =>
  perSecond(async () => {
    await Promise.all(
      Array.from({ length: count }, async () => {
        for (let i = 0; i < 16; i++) await store.append(newJournal(), START, [newFact()]);
      }),
    );
    return count * 16;
  });

const batches = (store: EventStore): Promise<number> =>
  perSecond(async () => {
    await store.append(newJournal(), START, Array.from({ length: 500 }, newFact));
    return 500;
  });

const paging = (store: EventStore): Promise<number> => {
  let at = START;
  return perSecond(async () => {
    const page = await store.page(at, 500);
    at = page.at(-1)?.position ?? START;
    return page.length;
  });
};

/** Plain libsql: the same rows in transactions of `size`, and the same pages with the same parse. */
const plain = (file: string) => {
  const db = new Libsql(file);
  db.exec('PRAGMA page_size = 8192');
  db.pragma('journal_mode = WAL');
  db.exec(`PRAGMA synchronous = FULL; PRAGMA cache_size = -65536; ${SCHEMA}`);
  const insert = db.prepare('INSERT INTO facts VALUES (?, ?, ?, ?, ?, ?, ?, ?)');
  const page = db.prepare('SELECT * FROM facts WHERE position > ? ORDER BY position LIMIT ?').raw();
  let position = 0;
  return {
    insert: (size: number): Promise<number> =>
      perSecond(async () => {
        db.exec('BEGIN IMMEDIATE');
        for (let i = 0; i < size; i++) {
          const { id, type, at, data, meta } = newFact();
          insert.run([position++, newJournal(), 0, id, type, at, JSON.stringify(data), JSON.stringify(meta)]);
        }
        db.exec('COMMIT');
        return size;
      }),
    page: (): Promise<number> => {
      let at = -1;
      return perSecond(async () => {
        const rows = page.all([at, 500]) as unknown[][];
        for (const row of rows) [JSON.parse(row[6] as string), JSON.parse(row[7] as string)];
        at = rows.length ? (rows.at(-1)![0] as number) : -1;
        return rows.length;
      });
    },
  };
};

const median = (list: number[]): number => list.sort((a, b) => a - b)[Math.floor(list.length / 2)]!;

const folder = mkdtempSync(join(tmpdir(), 'presage-bench-'));
const store = embeddedEventStore(join(folder, 'facts.db'));
const libsql = plain(join(folder, 'plain.db'));
const cases: [what: string, ours: () => Promise<number>, theirs: () => Promise<number>][] = [
  ['append, 1 writer', () => writers(store, 1), () => libsql.insert(1)],
  ['append, 64 writers', () => writers(store, 64), () => libsql.insert(64)],
  ['append, batches of 500', () => batches(store), () => libsql.insert(500)],
  ['page from the start, 500 a page', () => paging(store), () => libsql.page()],
];
const rates = cases.map((): [number[], number[]] => [[], []]);
for (let round = -1; round < ROUNDS; round++) {
  for (const [i, [, ours, theirs]] of cases.entries()) {
    const rate = [await ours(), await theirs()] as const;
    if (round < 0) continue; // the first round warms up
    rates[i]![0].push(rate[0]);
    rates[i]![1].push(rate[1]);
  }
}
console.log(`facts per second, medians of ${ROUNDS} alternated rounds\n`);
console.log('| | event store | plain libsql | ratio |\n|---|---|---|---|');
for (const [i, [what]] of cases.entries()) {
  const [ours, theirs] = rates[i]!.map(median) as [number, number];
  const columns = [
    what,
    ...[ours, theirs].map(rate => Math.round(rate).toLocaleString('en')),
    (ours / theirs).toFixed(2),
  ];
  console.log(`| ${columns.join(' | ')} |`);
}
await store.close();
rmSync(folder, { recursive: true });
