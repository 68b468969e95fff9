import { factPagesThen } from '../commands/engine/then.js';
import type { EventStore } from '../commands/ports/event-store.js';
import { journalOf } from '../domain/decider.js';
import type { Fact } from '../domain/fact.js';
import { Rejected } from '../domain/rejected.js';
import { signals } from '../domain/signals/decider.js';
import type { SignalFact } from '../domain/signals/facts.js';
import type { WorkspaceKey } from '../projections/engine/keys.js';
import { type GoneThen, Life } from '../projections/signals/gone.js';
import type { SignalQueries } from '../projections/signals/queries.js';

/** So much is read, and held, of a signal that has gone; `points` with those that took others' place. */
const MOST = { facts: 20_000, points: 500_000 };

/** Signals that were deleted after a moment, as they were then: from their journals, which stay. */
export function goneThen(
  store: Pick<EventStore, 'read'>,
  { end }: Pick<SignalQueries, 'end'>,
  most = MOST,
): GoneThen {
  const journalAt = (workspace: string, key: string) => journalOf(signals, `${workspace}.${key}`);

  /** Whether a signal was deleted after a moment: what documents tell is of the life behind its last end. */
  async function isGone({ workspace, key }: WorkspaceKey, asOf: number): Promise<boolean> {
    const last = await end(workspace, key);
    if (!last) return false;
    if (last.ended_at !== undefined) return last.ended_at > asOf;
    const [deleted] = await store.read(journalAt(workspace, key), last.revision - 1, 1);
    return deleted !== undefined && deleted.at > asOf;
  }

  return async (place, asOf, { replaced }) => {
    if (!(await isGone(place, asOf))) return null;
    const life = new Life(replaced);
    let read = 0;
    for await (const page of factPagesThen(
      store,
      place.workspace,
      journalAt(place.workspace, place.key),
      asOf,
    )) {
      for (const fact of page as readonly Fact<SignalFact>[]) life.take(fact);
      read += page.length;
      if (read > most.facts || life.size > most.points) throw tooMany(place.key, most);
    }
    return life.now();
  };
}

const tooMany = (key: string, { facts, points }: typeof MOST): Rejected =>
  new Rejected(
    'unprocessable',
    'too_many_points',
    `Signal '${key}' was deleted since: ${points} values, also revised, in ${facts} pushes are read at most`,
    { key, limit: points },
  );
