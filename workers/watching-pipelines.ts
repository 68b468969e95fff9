import type { Context } from '../commands/engine/handle.js';
import type { PipelineCommands } from '../commands/pipelines/records.js';
import type { EventStore } from '../commands/ports/event-store.js';
import type { Log } from '../commands/ports/log.js';
import { monthOf } from '../domain/billing/account.js';
import { isRetrainDue } from '../domain/pipelines/new-data.js';
import type { PipelineDoc } from '../projections/pipelines/documents.js';
import type { PipelineQueries } from '../projections/pipelines/queries.js';
import type { Running } from './engine/follow.js';
import { rounds } from './engine/rounds.js';
import { newPoints, type News } from './new-points.js';

/** Points of a segment's target and inputs, and when the last of them came (epoch ms; null: none did). */
export type Points = {
  readonly rows: number;
  readonly lastAt: number | null;
  /** What was counted, as `signalName` calls it; of entities their base. */
  readonly signals: readonly string[];
};
export type WatchingDeps = {
  readonly queries: Pick<PipelineQueries, 'watching'>;
  readonly commands: Pick<PipelineCommands, 'noteNewData'>;
  readonly pointsOf: (workspace: string, segmentId: string) => Promise<Points>;
  readonly events: EventStore;
  /** Resolves true when the read models that are counted by hold the fact at a position. */
  readonly caughtUp: (position: number) => Promise<boolean>;
  readonly clock: () => number;
  readonly visible: (position: number | null) => Promise<unknown>;
  readonly log: Log;
  /** How often new points are looked for; ms. */
  readonly lookEveryMs: number;
};
type Watching = {
  /** Has the cycle begin. */
  readonly begin: (doc: PipelineDoc) => Promise<void>;
  readonly contextOf: (doc: PipelineDoc) => Context;
  /** Whether it is to be left alone just now. */
  readonly rests: (doc: PipelineDoc) => boolean;
  readonly failed: (doc: PipelineDoc, error: unknown) => void;
};
/** `cameAt`: when points came that were not counted, epoch ms; null: none did. */
type Counted = Points & { readonly segmentId: string; cameAt: number | null };

/**
 * Has cycles begin when new points have come and come to rest. Points are counted again only when facts say
 * that some came, and pipelines are looked through only where that or a time that passes may change anything.
 */
export function watchPipelines(deps: WatchingDeps, { begin, contextOf, rests, failed }: Watching): Running {
  const { queries, commands, pointsOf, clock, log } = deps;
  const news = newPoints(deps.events, log);
  /** By document. */
  const counted = new Map<string, Counted>();
  /** Something may be due without any news. */
  let again = true;

  function mark({ signals, readsOthers }: News): void {
    if (readsOthers) counted.clear();
    for (const each of counted.values())
      for (const name of each.signals) {
        const at = signals.get(name);
        if (at !== undefined) each.cameAt = Math.max(each.cameAt ?? at, at);
      }
  }
  async function pointsNow({ _id, workspace, state }: PipelineDoc): Promise<Points> {
    const { segmentId } = state.settings;
    const last = counted.get(_id);
    if (last?.segmentId === segmentId && last.cameAt === null) return last;
    const points = { ...(await pointsOf(workspace, segmentId)), segmentId, cameAt: null };
    counted.set(_id, points);
    return points;
  }
  /** Whether time alone may bring a cycle about. */
  async function look(doc: PipelineDoc): Promise<boolean> {
    const { settings, newDataAt, rowsSeen, lastCycleAt, blocked } = doc.state;
    const onNewData = settings.onNewData!;
    if (blocked === monthOf(clock())) return true;
    const last = counted.get(doc._id);
    if (newDataAt !== null && last) {
      // Where it would not be time however many came, they need not be counted
      const lastAt = Math.max(last.cameAt ?? -Infinity, last.lastAt ?? -Infinity);
      const many = { rows: Infinity, firstAt: newDataAt, lastAt, lastCycleAt };
      if (!isRetrainDue(onNewData, many, clock())) return true;
    }
    const { rows, lastAt } = await pointsNow(doc);
    let came = { rows: rows - rowsSeen, firstAt: newDataAt, lastAt, lastCycleAt };
    if (came.rows <= 0) return false;
    if (newDataAt === null) {
      // They came before they were looked for
      const firstAt = Math.min(clock(), lastAt ?? Infinity);
      const of = { workspace: doc.workspace, pipelineId: doc.pipeline_id };
      const { position } = await commands.noteNewData(of, firstAt, contextOf(doc));
      await deps.visible(position);
      came = { ...came, firstAt };
    }
    if (came.rows < onNewData.minRows) return false;
    if (isRetrainDue(onNewData, came, clock())) await begin(doc);
    return true;
  }

  const looking = rounds(
    deps.lookEveryMs,
    log,
    'new points could not be looked for; tried again',
    async goesOn => {
      const position = news.position();
      if (position === null) return;
      const now = news.taken();
      mark(now);
      again ||= now.signals.size > 0 || now.readsOthers || now.isOfPipelines;
      if (!again || !(await deps.caughtUp(position))) return;
      again = false;
      const there = new Set<string>();
      for await (const page of queries.watching())
        for (const doc of page) {
          there.add(doc._id);
          if (!goesOn()) return;
          const isOpen = rests(doc)
            ? true
            : await look(doc).catch((error: unknown) => {
                failed(doc, error);
                return true;
              });
          again ||= isOpen;
        }
      for (const id of counted.keys()) if (!there.has(id)) counted.delete(id);
    },
  );
  return { stop: async () => void (await Promise.all([looking.stop(), news.stop()])) };
}
