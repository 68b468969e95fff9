import { publicHolidays as holidays } from '../adapters/segments/holidays.js';
import { tableWork } from '../adapters/segments/table-work.js';
import type { Endings } from '../adapters/endings.js';
import type { InUse } from '../api/signals/deps.js';
import type { Dependants } from '../api/segments/deps.js';
import { segmentRows } from '../api/segments/rows.js';
import type { SegmentReads } from '../commands/segments/sources.js';
import { tables } from '../commands/segments/tables.js';
import { segmentCommands } from '../commands/segments.js';
import { segmentFrames } from '../domain/segments/frames.js';
import { edgesProjection } from '../projections/edges/projection.js';
import { eventsProjection } from '../projections/events/projection.js';
import { goalsProjection } from '../projections/goals/projection.js';
import { marketplaceProjection } from '../projections/marketplace/projection.js';
import { segmentsProjection } from '../projections/segments/projection.js';
import { segmentQueries, usedOf } from '../projections/segments/queries.js';
import { signalsProjection } from '../projections/signals/projection.js';
import { segmentBuilds } from '../workers/segment-builds.js';
import { segmentStaleness } from '../workers/segment-staleness.js';
import { SegmentUsers } from '../workers/segment-users.js';
import { area } from './area.js';
import type { EventsArea } from './events.js';
import { allButOne, type Kernel } from './kernel.js';
import type { MarketplaceArea } from './marketplace.js';
import { segmentResponses } from './segment-responses.js';
import type { SignalsArea } from './signals.js';

type On = {
  readonly events: EventsArea;
  readonly marketplace: MarketplaceArea;
  readonly signals: SignalsArea;
  /** Asked of pipelines, which are built on segments. */
  readonly dependants: Dependants;
};

/** Builds and the reactor wait so long for the read models before they fail and begin again. */
const WAITS_MS = 30_000;
/** A leader is another one after some seconds at the earliest: until then it has seen every fact itself. */
const USERS_FRESH_MS = 1_000;

/** Model-ready tables: recipes, and how they are built and kept. */
export const segmentsArea = (
  kernel: Kernel,
  { events, marketplace, signals, dependants }: On,
  ends: Endings,
) => {
  const { config, handle, tryOut, load, clock, newId, log, read, stores, visibleIn, caughtUp } = kernel;
  const contents = stores.tables;
  const queries = segmentQueries(read(segmentsProjection));
  const commands = segmentCommands(handle, load);
  const visible = visibleIn(segmentsProjection);
  const { responses, actsOn } = segmentResponses(kernel);
  const reads = { ...readsOf(signals, events, marketplace), responses };
  const processes = config.COMPUTE_WORKERS || allButOne();
  const work = ends.keep(
    tableWork({
      contents,
      builds: Math.max(1, Math.floor(processes / 2)),
      asked: processes,
      memoryMb: config.COMPUTE_MEMORY_MB,
      withinMs: config.COMPUTE_WITHIN_MS,
    }),
  );
  const users = new SegmentUsers(
    queries,
    marketplace.queries.resolve,
    stores.shared ? USERS_FRESH_MS : Infinity,
  );
  return area({
    name: 'segments',
    ...{ commands, queries },
    frames: { of: segmentFrames(queries.after), shown: visible },
    reactors: [
      segmentStaleness({
        ...{ users, commands, contents, actsOn },
        occursAt: async (workspace, eventId) =>
          (await events.queries.event(workspace, eventId))?.occurred_at ?? null,
        caughtUp: async position =>
          (await caughtUp(segmentsProjection, position, WAITS_MS))
          && (await caughtUp(goalsProjection, position, WAITS_MS))
          && caughtUp(edgesProjection, position, WAITS_MS),
      }),
    ],
    schedulers: {
      'segment-builds': () =>
        segmentBuilds({
          ...{ commands, queries, contents, reads, holidays, work, clock, newId, visible, log },
          atOnce: Math.max(1, Math.floor(processes / 2)),
          caughtUp: async position =>
            (await caughtUp(signalsProjection, position, WAITS_MS))
            && (await caughtUp(eventsProjection, position, WAITS_MS))
            && (await caughtUp(goalsProjection, position, WAITS_MS))
            && (await caughtUp(edgesProjection, position, WAITS_MS))
            && caughtUp(marketplaceProjection, position, WAITS_MS),
        }),
    },
    rows: segmentRows({
      ...{ commands, queries, work, reads, holidays, dependants, clock, visible },
      tried: segmentCommands(tryOut, load),
      tables: tables(contents),
    }),
  });
};
export type SegmentsArea = ReturnType<typeof segmentsArea>;

/** The segments of a workspace that use some of these signals and streams. */
export const segmentsUsing = (kernel: Kernel): InUse => {
  const queries = segmentQueries(kernel.read(segmentsProjection));
  return async (workspace, keys, streams) => {
    const found: Awaited<ReturnType<InUse>>[number][] = [];
    for await (const page of queries.of(workspace))
      for (const doc of page) {
        const used = usedOf(doc, keys, streams);
        if (used.keys.length + used.streams.length === 0) continue;
        found.push({ kind: 'segment', id: doc.segment_id, name: doc.name, ...used });
      }
    return found;
  };
};

/** Signals and events of the workspace, and those it subscribes to. */
const readsOf = (
  { queries: signals }: SignalsArea,
  { queries: events }: EventsArea,
  { queries: market }: Pick<MarketplaceArea, 'queries'>,
): Omit<SegmentReads, 'responses'> => ({
  async signal(workspace, key) {
    const place = await market.resolve(workspace, 'signal', key);
    const doc = place && (await signals.signal(place.workspace, place.key));
    return doc && place ? { ...place, recordedAt: doc.recorded_at } : null;
  },
  stream: (workspace, key) => market.resolve(workspace, 'stream', key),
  entities: async (workspace, base, limit) =>
    (await signals.entities(workspace, base, limit)).map(({ key, recorded_at: recordedAt }) => ({
      ...{ workspace, key, recordedAt },
    })),
  points: ({ workspace, key }, from, to, asOf) => signals.pointsKnown(workspace, key, from, to, asOf),
  newest: ({ workspace, key }, to, asOf) => signals.newest(workspace, key, to, 1, asOf),
  async *events({ workspace, key }, from, to, asOf, figure) {
    for await (const page of events.valuesBetween(workspace, key, from, to)) {
      const known = page.filter(({ timestamp }) => timestamp <= asOf);
      if (known.length === 0) continue;
      yield {
        times: known.map(({ occurred_at }) => occurred_at),
        values: known.map(({ value, scores }) => (figure === 'value' ? value : scores?.[figure]) ?? NaN),
      };
    }
  },
});
