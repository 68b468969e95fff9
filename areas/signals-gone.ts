import { factPagesThen } from '../commands/engine/then.js';
import type { EventStore } from '../commands/ports/event-store.js';
import { journalOf } from '../domain/decider.js';
import type { Fact } from '../domain/fact.js';
import { Rejected } from '../domain/rejected.js';
import { signals } from '../domain/signals/decider.js';
import type { SignalFact } from '../domain/signals/facts.js';
import { type GoneThen, Life } from '../projections/signals/gone.js';
import type { SignalQueries } from '../projections/signals/queries.js';

/** So much is read, and held, of a signal that has gone. */
const MOST = { facts: 20_000, points: 500_000 };

/** Signals that were deleted after a moment, as they were then: from their journals, which stay. */
export function goneThen(
  store: Pick<EventStore, 'read'>,
  { end }: Pick<SignalQueries, 'end'>,
): { readonly gone: GoneThen; readonly isGone: (...of: Parameters<GoneThen>) => Promise<boolean> } {
  const journalAt = (workspace: string, key: string) => journalOf(signals, `${workspace}.${key}`);

  /** Whether a signal was deleted after a moment: what documents tell is of the life behind its last end. */
  async function isGone({ workspace, key }: Parameters<GoneThen>[0], asOf: number): Promise<boolean> {
    const last = await end(workspace, key);
    if (!last) return false;
    const [deleted] = await store.read(journalAt(workspace, key), last.revision - 1, 1);
    return deleted !== undefined && deleted.at > asOf;
  }

  const gone: GoneThen = async (place, asOf) => {
    if (!(await isGone(place, asOf))) return null;
    const life = new Life();
    let read = 0;
    for await (const page of factPagesThen(
      store,
      place.workspace,
      journalAt(place.workspace, place.key),
      asOf,
    )) {
      for (const fact of page as readonly Fact<SignalFact>[]) life.take(fact);
      read += page.length;
      if (read > MOST.facts || life.size > MOST.points) throw tooMany(place.key);
    }
    return life.now();
  };
  return { gone, isGone };
}

const tooMany = (key: string): Rejected =>
  new Rejected(
    'unprocessable',
    'too_many_points',
    `Signal '${key}' was deleted since: ${MOST.points} points in ${MOST.facts} pushes are read at most`,
    { key, limit: MOST.points },
  );
