import type { EventsThen } from '../api/events/deps.js';
import { Rejected } from '../domain/rejected.js';
import type { ListedEvent, StreamThen, VersionQueries } from '../projections/events/version-queries.js';
import type { Subscribed } from '../projections/marketplace/queries.js';

/** Events to come that are looked at for one list of a past moment. */
const MOST = 10_000;

/** A stream where it lies, and what it is called by who asks. */
export type Place = Pick<Subscribed, 'workspace' | 'key' | 'alias'>;

type Deps = {
  readonly versions: Pick<VersionQueries, 'toCome'>;
  readonly streamThen: (workspace: string, key: string, asOf: number) => Promise<StreamThen>;
  readonly aliases: (workspace: string) => Promise<readonly Place[]>;
};

/** Events that were to come at a moment, of a workspace and of what it subscribes to. */
export function upcomingThen({ versions, streamThen, aliases }: Deps): EventsThen['upcoming'] {
  /** Of one workspace: events to come of some streams, by their names there; null: of all. */
  async function* toCome(workspace: string, keys: readonly string[] | null, asOf: number, until: number) {
    const streams = new Map<string, Promise<StreamThen>>();
    let looked = 0;
    for await (const page of versions.toCome(workspace, keys, asOf, until)) {
      looked += page.length;
      if (looked > MOST) throw tooMany();
      const there: ListedEvent[] = [];
      for (const event of page) {
        const stream = streams.get(event.key) ?? streamThen(workspace, event.key, asOf);
        streams.set(event.key, stream);
        if (event.life > (await stream).life) there.push(event);
      }
      yield there;
    }
  }

  return async (workspace, asOf, until, keys, limit) => {
    const rows: ListedEvent[] = [];
    const take = async (publisher: string, wanted: ReadonlyMap<string, readonly string[]> | null) => {
      const list = wanted && [...wanted.keys()];
      for await (const page of toCome(publisher, list, asOf, until)) {
        for (const event of page)
          for (const key of wanted?.get(event.key) ?? [event.key]) rows.push({ ...event, key });
      }
    };
    await take(workspace, keys && new Map(keys.map(key => [key, [key]])));
    const others = (await aliases(workspace)).filter(({ alias }) => !keys || keys.includes(alias));
    for (const publisher of new Set(others.map(place => place.workspace)))
      await take(publisher, namesOf(others.filter(place => place.workspace === publisher)));
    rows.sort((a, b) => a.occurred_at - b.occurred_at || (a.event_id < b.event_id ? -1 : 1));
    return { events: rows.slice(0, limit), total: rows.length };
  };
}

function namesOf(places: readonly Place[]): ReadonlyMap<string, readonly string[]> {
  const names = new Map<string, string[]>();
  for (const { key, alias } of places) names.set(key, [...(names.get(key) ?? []), alias]);
  return names;
}

const tooMany = (): Rejected =>
  new Rejected(
    'unprocessable',
    'too_many_events',
    `Of a past moment ${MOST} events to come are looked at; more fit: name streams, or fewer hours`,
    { limit: MOST },
  );
