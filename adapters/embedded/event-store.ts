import {
  OutcomeUnknown,
  StoreUnavailable,
  WrongRevision,
  type EventStore,
} from '../../commands/ports/event-store.js';
import { START } from '../../domain/fact.js';
import { checkedAppend } from '../checked-append.js';
import { CommitFailed, openDatabase } from './database.js';
import { factsOf, type NewFacts, type Written } from './facts.js';
import { Tail } from '../tail.js';

type Append = NewFacts & {
  readonly resolve: (end: { position: number }) => void;
  readonly reject: (error: Error) => void;
};

/** No limit, as SQLite says it. */
const EVERY = -1;

/**
 * The log of facts in one SQLite file. All appends that wait at the same time go into one transaction, and
 * each is answered when that is on the disk (`synchronous=FULL`): one flush to the disk serves many writers.
 */
export const embeddedEventStore = (file: string): EventStore => {
  const db = openDatabase(file, 'FULL');
  const stored = factsOf(db, file);
  const bells = new Set<() => void>();
  let head = stored.head();
  const tail = new Tail(head);
  let queue: Append[] = [];
  let closed = false;

  const flush = (): void => {
    const appends = queue;
    queue = [];
    let outcomes: (Written | WrongRevision)[];
    try {
      outcomes = db.transaction(() => writeAll(appends));
    } catch (error) {
      failed(appends, error);
      return;
    }
    appends.forEach((append, i) => answer(append, outcomes[i]!));
    for (const bell of bells)
      queueMicrotask(() => {
        if (bells.has(bell)) bell();
      });
  };

  const writeAll = (appends: readonly Append[]): (Written | WrongRevision)[] => {
    let next = head + 1;
    stored.sums.begin();
    const outcomes = appends.map(append => {
      const outcome = stored.write(append, next);
      if (!(outcome instanceof WrongRevision)) next += outcome.facts.length;
      return outcome;
    });
    stored.sums.end(head, next - 1);
    return outcomes;
  };

  const answer = (append: Append, outcome: Written | WrongRevision): void => {
    if (outcome instanceof WrongRevision) {
      append.reject(outcome);
      return;
    }
    for (const [i, fact] of outcome.facts.entries()) {
      tail.push(fact, append.data[i]!.length + append.meta[i]!.length);
      head = fact.position;
    }
    append.resolve({ position: outcome.position });
  };

  return {
    append: async (journal, expected, facts) => {
      if (closed) throw new StoreUnavailable('the store is closed');
      const data = checkedAppend(journal, expected, facts);
      const meta = facts.map(fact => JSON.stringify(fact.meta));
      return new Promise((resolve, reject) => {
        // Two turns of the event loop gather what is on its way; a timer would cost a lone writer dearly.
        if (queue.push({ journal, expected, facts, data, meta, resolve, reject }) === 1)
          setImmediate(() =>
            setImmediate(() => {
              if (queue.length > 0) flush();
            }),
          );
      });
    },
    read: async (journal, after = START, limit = EVERY) => stored.read(journal, after, limit),
    page: async (after, limit) =>
      after >= head ? [] : (tail.page(after, limit) ?? stored.page(after, limit)),
    head: async () => head,
    listen(ring) {
      const bell = (): void => ring();
      bells.add(bell);
      return () => {
        bells.delete(bell);
      };
    },
    async close() {
      if (closed) return;
      closed = true;
      if (queue.length > 0) flush();
      bells.clear();
      db.close();
    },
  };
};

const failed = (appends: readonly Append[], cause: unknown): void => {
  for (const { journal, reject } of appends) {
    if (cause instanceof CommitFailed) reject(new OutcomeUnknown(journal, cause));
    else reject(new StoreUnavailable(`${journal} was not written`, { cause }));
  }
};
