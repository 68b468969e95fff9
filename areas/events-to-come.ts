import type { EventsThen } from '../api/events/deps.js';
import { inTime, type Candidate } from '../projections/events/candidates.js';
import type { ThenQueries } from '../projections/events/then-queries.js';
import type { Subscribed } from '../projections/marketplace/queries.js';

/** A stream where it lies, and what it is called by who asks. */
export type Place = Pick<Subscribed, 'workspace' | 'key' | 'alias'>;

type Deps = {
  /** For one answer. */
  readonly queries: (asOf: number) => Pick<ThenQueries, 'toCome' | 'exactly'>;
  readonly places: (workspace: string) => Promise<readonly Place[]>;
  /** Names of those that were deleted since. */
  readonly deleted: (places: readonly Place[], asOf: number) => Promise<string[]>;
};

/** Events that were to come at a moment, of a workspace and of what it subscribes to. */
export function upcomingThen({ queries, places, deleted }: Deps): EventsThen['upcoming'] {
  return async (workspace, asOf, until, keys, limit) => {
    const { toCome, exactly } = queries(asOf);
    const wanted = (await places(workspace)).filter(({ alias }) => !keys || keys.includes(alias));
    const rows: Candidate[] = [];
    for (const publisher of new Set(wanted.map(place => place.workspace))) {
      const names = namesOf(wanted.filter(place => place.workspace === publisher));
      const all = publisher === workspace && !keys ? null : [...names.keys()];
      for (const each of await toCome({ workspace: publisher, keys: all }, until))
        for (const key of names.get(each.event.key) ?? [])
          rows.push({ ...each, event: { ...each.event, key } });
    }
    rows.sort(inTime);
    return {
      events: await exactly(rows.slice(0, limit)),
      total: rows.length,
      deletedSince: await deleted(wanted, asOf),
    };
  };
}

function namesOf(places: readonly Place[]): ReadonlyMap<string, readonly string[]> {
  const names = new Map<string, string[]>();
  for (const { key, alias } of places) names.set(key, [...(names.get(key) ?? []), alias]);
  return names;
}
