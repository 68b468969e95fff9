import { WrongRevision, type EventStore } from '../commands/ports/event-store.js';
import type { Entry, KeyValue } from '../commands/ports/key-value.js';
import { START, type Fact, type NewFact } from '../domain/fact.js';
import { checkedAppend } from './checked-append.js';

/**
 * The ports in memory, as plain as they can be: for tests, and as the reference the other adapters are
 * compared with.
 */
export const memoryEventStore = (): EventStore => {
  const all: Fact[] = [];
  const bells = new Set<() => void>();
  const read = (journal: string): Fact[] => all.filter(fact => fact.journal === journal);
  const ring = (): void => {
    for (const bell of [...bells])
      setImmediate(() => {
        if (bells.has(bell)) bell();
      });
  };
  const append = (journal: string, expected: number, facts: readonly NewFact[]): number => {
    const data = checkedAppend(journal, expected, facts);
    const stored = read(journal);
    const there = stored.slice(expected + 1, expected + 1 + facts.length);
    if (there.length === facts.length && there.every((fact, i) => fact.id === facts[i]!.id))
      return there.at(-1)!.position;
    if (stored.length - 1 !== expected) throw new WrongRevision(journal, expected, stored.length - 1);
    facts.forEach(({ id, type, at, meta }, i) =>
      all.push({
        id,
        type,
        at,
        data: JSON.parse(data[i]!),
        meta: structuredClone(meta),
        journal,
        revision: stored.length + i,
        position: all.length,
      }),
    );
    ring();
    return all.length - 1;
  };
  return {
    append: async (journal, expected, facts) => ({ position: append(journal, expected, facts) }),
    read: async (journal, after = START, limit = Infinity) =>
      read(journal).slice(after + 1, after + 1 + limit),
    page: async (after, limit) => all.slice(after + 1, after + 1 + limit),
    head: async () => all.length - 1,
    listen(bell) {
      bells.add(bell);
      return () => {
        bells.delete(bell);
      };
    },
    close: async () => bells.clear(),
  };
};

export const memoryKeyValue = (clock: () => number): KeyValue => {
  const all = new Map<string, Entry<string>>();
  const live = (key: string): Entry<string> | undefined => {
    const entry = all.get(key);
    return entry && (entry.expiresAt === null || clock() < entry.expiresAt) ? entry : undefined;
  };
  return {
    async get<T>(key: string) {
      const entry = live(key);
      return entry ? { ...entry, value: JSON.parse(entry.value) as T } : null;
    },
    async set(key, value, version, expiresAt) {
      if ((live(key)?.version ?? 0) !== version) return null;
      const next = (all.get(key)?.version ?? 0) + 1;
      all.set(key, { value: JSON.stringify(value), version: next, expiresAt });
      return next;
    },
  };
};
