import { StoreUnavailable, type EventStore } from '../../commands/ports/event-store.js';
import { START } from '../../domain/fact.js';
import { Appending } from './appending.js';
import { Bell } from './bell.js';
import { giveBackConnection, takeConnection } from './client.js';
import type { Limits } from './patience.js';
import { Reading } from './reading.js';
import { SharedPages } from './shared-pages.js';

export type EventStoreDbOptions = Partial<Limits> & {
  /** Connection string, `esdb://host:2113?tls=false`; one for the whole process. */
  readonly url: string;
};

const ANSWER_WITHIN_MS = 5_000;
const PATIENCE_MS = 20_000;

/**
 * The event store port on EventStoreDB 23.10 and later. A call waits `answerWithin` ms for an answer (5,000)
 * and is repeated for `patience` ms (20,000): the client itself notices a frozen server late, and one that
 * never answers not at all.
 */
export const eventStoreDb = async (options: EventStoreDbOptions): Promise<EventStore> => {
  const limits = {
    answerWithin: options.answerWithin ?? ANSWER_WITHIN_MS,
    patience: options.patience ?? PATIENCE_MS,
  };
  const connection = await takeConnection(options.url);
  const reading = new Reading(connection, limits);
  const appending = new Appending(connection, reading, limits);
  const lookOnce = new Reading(connection, { ...limits, patience: 0 });
  const bell = new Bell(connection, () => whileOpen(() => lookOnce.head()));
  const pages = new SharedPages((after, limit) => reading.page(after, limit));
  const underWay = new Set<Promise<unknown>>();
  let closed = false;

  const whileOpen = async <T>(work: () => Promise<T>): Promise<T> => {
    if (closed) throw new StoreUnavailable('the store is closed');
    const running = work();
    underWay.add(running);
    try {
      return await running;
    } finally {
      underWay.delete(running);
    }
  };

  return {
    append: (journal, expected, facts) =>
      whileOpen(async () => {
        const appended = await appending.append(journal, expected, facts);
        bell.ring();
        return appended;
      }),
    read: (journal, after = START, limit) => whileOpen(() => reading.journal(journal, after + 1, limit)),
    page: (after, limit) => whileOpen(() => pages.page(after, limit)),
    head: () => whileOpen(() => reading.head()),
    listen: ring => bell.listen(ring),
    async close() {
      if (closed) return;
      closed = true;
      bell.close();
      await Promise.allSettled(underWay);
      await giveBackConnection();
    },
  };
};
