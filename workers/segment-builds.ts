import type { Context } from '../commands/engine/handle.js';
import type { Contents } from '../commands/ports/contents.js';
import type { Log } from '../commands/ports/log.js';
import { buildSegment, sweep, type BuildDeps } from '../commands/segments/building.js';
import type { SegmentDoc } from '../projections/segments/documents.js';
import { TABLES_KEPT, type SegmentQueries } from '../projections/segments/queries.js';
import type { Running } from './engine/follow.js';
import { rounds } from './engine/rounds.js';

type Deps = BuildDeps & {
  readonly queries: Pick<SegmentQueries, 'openBehind' | 'segment' | 'versions'>;
  readonly contents: Contents;
  readonly newId: () => string;
  readonly visible: (position: number | null) => Promise<void>;
  /** So many builds at once. */
  readonly atOnce: number;
  /** How often it looks for builds. */
  readonly everyMs?: number;
  readonly log: Log;
};
type Building = { readonly doc: SegmentDoc; readonly ending: AbortController };

const EVERY_MS = 250;
const LOOKED_AT = 200;
const LONGEST_PAUSE_MS = 30_000;

/**
 * Builds the tables of segments that wait for it, workspaces in turn. It remembers nothing: a build that was
 * cut short is open still and begins again; one that nobody wants any more ends at once.
 */
export function segmentBuilds(deps: Deps): Running {
  const { queries, log, atOnce, everyMs = EVERY_MS } = deps;
  const building = new Map<string, Building>();
  /** Until when (`performance.now`) a build rests that failed at something that may pass. */
  const resting = new Map<string, number>();
  const underWay = new Set<Promise<void>>();
  /** The workspace whose turn it was last. */
  let turn = '';

  const begin = (doc: SegmentDoc): void => {
    const ending = new AbortController();
    building.set(doc._id, { doc, ending });
    const work = build(deps, doc, ending.signal)
      .catch((err: unknown) => {
        if (ending.signal.aborted) return;
        const pauseMs = Math.min(2 ** doc.attempt * 1_000, LONGEST_PAUSE_MS);
        resting.set(doc._id, performance.now() + pauseMs);
        log.error({ err, segment: doc.segment_id }, 'a table could not be built; tried again');
      })
      .finally(() => {
        building.delete(doc._id);
        underWay.delete(work);
      });
    underWay.add(work);
  };

  const endUnwanted = async (): Promise<void> => {
    for (const { doc, ending } of building.values()) {
      const now = await queries.segment(doc.workspace, doc.segment_id);
      if (now?.build !== doc.build) ending.abort();
    }
  };

  /** The first of the next workspace whose turn it is; null: there is nothing to begin just now. */
  const next = async (): Promise<SegmentDoc | null> => {
    const before = turn;
    for (let isRound = false; ; ) {
      const open = await queries.openBehind(turn, LOOKED_AT);
      turn = open[0]?.workspace ?? '';
      const ready = open.find(({ _id }) => !building.has(_id) && !resting.has(_id));
      if (ready) return ready;
      if (isRound && (turn === '' || turn >= before)) return null;
      isRound ||= turn === '';
    }
  };

  const looking = rounds(
    everyMs,
    log,
    'builds of tables could not be looked for; tried again',
    async goesOn => {
      await endUnwanted();
      for (const [id, until] of resting) if (until <= performance.now()) resting.delete(id);
      while (goesOn() && building.size < atOnce) {
        const doc = await next();
        if (!doc) return;
        begin(doc);
      }
    },
  );
  return {
    async stop() {
      await looking.stop();
      for (const { ending } of building.values()) ending.abort();
      await Promise.all(underWay);
    },
  };
}

async function build(deps: Deps, doc: SegmentDoc, signal: AbortSignal): Promise<void> {
  const { workspace, segment_id: segmentId } = doc;
  const context: Context = {
    ...{ workspace, actor: 'scheduler:segment-builds', request: null, causation: null },
    correlation: deps.newId(),
    at: deps.clock(),
  };
  try {
    await deps.visible(await buildSegment(deps, { workspace, segmentId, build: doc.build }, context, signal));
  } finally {
    await tidy(deps, doc);
  }
}

/** What no table consists of any more goes, and what was begun and cut short. */
async function tidy(
  { queries, contents }: Deps,
  { workspace, segment_id: segmentId }: SegmentDoc,
): Promise<void> {
  const doc = await queries.segment(workspace, segmentId);
  // What was built may not show yet, or another build is asked for, which tidies up after itself
  if (doc?.open) return;
  const { items } = await queries.versions(workspace, segmentId, TABLES_KEPT, 0);
  const tables = [doc?.table, ...items.map(({ table }) => table)];
  await sweep(
    contents,
    segmentId,
    tables.flatMap(table => table?.manifest ?? []),
  );
}
