import type { Log } from '../commands/ports/log.js';
import type { ScoringRoom } from '../domain/events/backlog.js';
import { Rejected } from '../domain/rejected.js';
import type { EventQueries } from '../projections/events/queries.js';

type Deps = {
  readonly queries: Pick<EventQueries, 'totals' | 'backlogs'>;
  /** So many events of one workspace may wait for a score. */
  readonly ofWorkspace: number;
  /** So many of all workspaces may. */
  readonly ofAll: number;
  readonly log: Log;
};
type Seen = { readonly at: number; readonly all: number; readonly over: ReadonlyMap<string, number> };

const LOOK_EVERY_MS = 1_000;
/** What was seen longer ago than this refuses nobody. */
const GOOD_FOR_MS = 3_000;
const RETRY_AFTER_S = 5;
const NOTHING_SEEN: Seen = { at: Number.NEGATIVE_INFINITY, all: 0, over: new Map() };

/**
 * How much room there is for texts to be scored, as the read models of events say. They are looked at while
 * somebody asks, at most once a second and beside it: who asks waits for nothing.
 */
export function scoringRoom({ queries, ofWorkspace, ofAll, log }: Deps): ScoringRoom {
  let seen = NOTHING_SEEN;
  let looking = false;
  const look = async (at: number): Promise<void> => {
    looking = true;
    try {
      const [{ pending }, over] = await Promise.all([queries.totals(), queries.backlogs(ofWorkspace)]);
      seen = { at, all: pending, over };
    } catch (err) {
      log.warn({ err }, 'the scoring backlog could not be read');
    } finally {
      looking = false;
    }
  };
  return {
    refusal(workspace) {
      const now = performance.now();
      if (!looking && now - seen.at >= LOOK_EVERY_MS) void look(now);
      if (now - seen.at > GOOD_FOR_MS) return null;
      const waiting = seen.over.get(workspace);
      if (waiting !== undefined) return tooManyOf(waiting, ofWorkspace);
      return seen.all > ofAll ? tooManyInAll() : null;
    },
  };
}

const tooManyOf = (waiting: number, limit: number): Rejected =>
  new Rejected(
    'limited',
    'rate_limited',
    `${waiting} events of this workspace wait for a score, and ${limit} may; try again soon`,
    { policy: 'scoring', limit, waiting, retry_after_s: RETRY_AFTER_S },
  );

const tooManyInAll = (): Rejected =>
  new Rejected('unavailable', 'overloaded', 'Too many events wait for a score; try again soon', {
    retry_after_s: RETRY_AFTER_S,
  });
