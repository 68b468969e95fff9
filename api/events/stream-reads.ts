import type { ListedEvent } from '../../projections/events/candidates.js';
import type { Place, StreamPage } from '../../projections/events/stream-queries.js';
import { listedNow } from '../../projections/events/then-queries.js';
import type { EventDeps } from './deps.js';

const NOTHING: StreamPage<ListedEvent> = { events: [], hasMore: false, nextBefore: null, next: null };

type Upcoming = {
  readonly asOf: number | null;
  readonly from: number;
  readonly until: number;
  readonly keys: readonly string[] | null;
  readonly limit: number;
};

/** Lists of events as they are or, with `asOf` (epoch ms), as they were. */
export function streamReads({ reads, then }: Pick<EventDeps, 'reads' | 'then'>) {
  return {
    async upcoming(workspace: string, { asOf, from, until, keys, limit }: Upcoming) {
      if (asOf !== null) return then.upcoming(workspace, asOf, until, keys, limit);
      const { events, total } = await reads.upcoming(workspace, from, until, keys, limit);
      return { events: events.map(listedNow), total, deletedSince: null };
    },

    /** Events of a stream; of one that is not there, none. */
    async page(
      workspace: string,
      key: string,
      asOf: number | null,
      of: readonly [limit: number, before: number | null, place: Place | null],
    ): Promise<StreamPage<ListedEvent>> {
      if (asOf !== null) return (await (await then.stream(workspace, key, asOf))?.page(...of)) ?? NOTHING;
      const found = await (await reads.ofStream(workspace, key))?.streamPage(workspace, key, ...of);
      return found ? { ...found, events: found.events.map(listedNow) } : NOTHING;
    },
  };
}
