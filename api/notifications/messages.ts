import { HOUR, SECOND } from '../../domain/time.js';
import type { NotificationDoc } from '../../projections/notifications/documents.js';
import type { NotificationQueries } from '../../projections/notifications/queries.js';
import type { Listener } from './listeners.js';
import { streamId } from './stream-ids.js';
import { notificationView } from './views.js';

export type Reading = {
  readonly listener: Listener;
  /** Told is what lies behind this position of the log. */
  readonly from: number;
  /**
   * The reader is new, or goes on behind what it knew; `reset`: that is too old, or was never heard of, and
   * the feed has to be read again.
   */
  readonly begins: 'new' | 'behind' | 'reset';
  readonly queries: Pick<NotificationQueries, 'toldSince' | 'upTo' | 'marksOf'>;
  /** Whether the reader may be told of something. */
  readonly mayHear: (doc: NotificationDoc) => Promise<boolean>;
  /** Whether the reader may still listen at all. */
  readonly isAllowed: () => Promise<boolean>;
  readonly clock: () => number;
  /** So long it is silent at most, ms. */
  readonly pingMs?: number;
};

const RETRY_MS = 3_000;
const PING_MS = 15 * SECOND;
/** Read at once; what is read and not sent yet is all that a slow reader costs. */
const PAGE = 20;
/** So often a reader who was told nothing learns a new id, so that it does not grow too old. */
const RENEWED_MS = HOUR;

/**
 * A first id comes with data: some clients pass over one that stands alone, and who is cut off before
 * anything was told would begin anew, and miss what came meanwhile.
 */
const BEGINNING = {
  new: (at: (event: string) => string) => at('listening'),
  behind: () => '\n',
  reset: (at: (event: string) => string) => `\n${at('reset')}`,
};
const idLine = (position: number, clock: () => number): string => `id: ${streamId(position, clock())}\n`;

/**
 * A stream of Server-Sent Events (WHATWG HTML, 9.2) with everything that is told behind a position, then with
 * what comes. Whatever is told is read from documents when the reader has taken what was before it, so that
 * nothing piles up, and nothing is missed.
 */
export async function* messages(reading: Reading): AsyncGenerator<string> {
  const { listener, queries, isAllowed, clock, pingMs = PING_MS } = reading;
  let position = reading.from;
  const at = (event: string): string => `${idLine(position, clock)}event: ${event}\ndata: {}\n\n`;
  yield `retry: ${RETRY_MS}\n${BEGINNING[reading.begins](at)}`;
  let [saidAt, checkedAt, renewedAt] = [performance.now(), performance.now(), performance.now()];
  while (!listener.ended) {
    for (let more = true; more && !listener.ended; ) {
      const upTo = await queries.upTo();
      const docs = await queries.toldSince(listener.uid, position, upTo, PAGE);
      more = docs.length === PAGE;
      for await (const block of blocksOf(docs, reading)) {
        yield block;
        saidAt = performance.now();
      }
      position = Math.max(position, more ? docs.at(-1)!.told_at : upTo);
    }
    await listener.wait(Math.max(0, saidAt + pingMs - performance.now()));
    const isSilent = performance.now() - saidAt >= pingMs;
    if (listener.ended) return;
    // That a token expires is no fact, and who is told much is never silent
    if (listener.inDoubt || performance.now() - checkedAt >= pingMs) {
      listener.inDoubt = false;
      if (!(await isAllowed())) return;
      checkedAt = performance.now();
    }
    if (!isSilent) continue;
    const isDue = performance.now() - renewedAt >= RENEWED_MS;
    if (isDue) renewedAt = performance.now();
    yield `: ping\n\n${isDue ? at('listening') : ''}`;
    saidAt = performance.now();
  }
}

async function* blocksOf(
  docs: readonly NotificationDoc[],
  { listener, queries, mayHear, clock }: Reading,
): AsyncGenerator<string> {
  if (docs.length === 0) return;
  const marks = await queries.marksOf(listener.uid);
  for (const doc of docs) {
    if (listener.ended) return;
    if (!doc.in_app || !(await mayHear(doc))) continue;
    const item = JSON.stringify(notificationView(doc, marks));
    yield `${idLine(doc.told_at, clock)}event: notification\ndata: ${item}\n\n`;
  }
}
