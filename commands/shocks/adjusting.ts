import type { Adjustment, Composed, Making } from '../../domain/forecasts/composing.js';
import { stepsIn } from '../../domain/forecasts/steps.js';
import type { ServedModel } from '../../domain/goals/model.js';
import type { ActingEdge, ForecastBy } from '../../domain/goals/ports.js';
import { effectsAhead, inShock, moved, type Effects, type Scheduled } from '../../domain/shocks/applying.js';
import { responseOf } from '../../domain/maths/effects/applied.js';
import type { Blend } from '../../domain/shocks/blend.js';
import type { Episode } from '../../domain/shocks/episode.js';
import type { ShockState } from '../../domain/shocks/state.js';
import { actingBy, actingIn, effectsAt, type Carried } from '../../domain/shocks/carried.js';
import { scorerOf, scorersIn } from '../../domain/shocks/weighing.js';
import type { Log } from '../ports/log.js';
import { pastOf, withoutEffects, type EventsPast, type Read } from './carrying.js';

/**
 * Events of streams that lie between two times (epoch ms, neither included), scored and known: now, or those
 * that were recorded until a moment (epoch ms).
 */
export type EventsAhead = (
  workspace: string,
  streams: readonly string[],
  after: number,
  before: number,
  asOf: number | null,
) => Promise<readonly Scheduled[]>;

export type AdjustingDeps = {
  /** Those that act; `asOf` (epoch ms): that acted then. */
  readonly edges: (workspace: string, goalId: string, asOf: number | null) => Promise<readonly ActingEdge[]>;
  readonly ahead: EventsAhead;
  readonly past: EventsPast;
  /** `asOf`: as it stood then, epoch ms. */
  readonly shocks: (workspace: string, goalId: string, asOf: number | null) => Promise<Standing>;
  readonly forecastBy: ForecastBy;
  /** A foundation model that is asked as it is; null: none is served here. */
  readonly generalist: () => Promise<{ readonly model: ServedModel } | null>;
  readonly log: Log;
};

type Standing = Pick<ShockState, 'episode' | 'blend'>;
/** What moves a forecast; edges are those of the streams of the events. */
export type KnownOfEvents = {
  readonly events: readonly Scheduled[];
  /** Of streams known in advance; what a shock follows from is not among them. */
  readonly past?: readonly Carried[];
  readonly edges: readonly ActingEdge[];
  /**
   * Null: the goal is in no shock. `cleared`: the response is told by what the model makes of the series
   * without what the causes did to it; absent: by the champion, which may have seen part of that. `byStep`:
   * bands widen by what remains at each step; absent: by what remained when it was made, at all of them.
   */
  readonly shock: {
    readonly episode: Episode;
    readonly blend: Blend;
    readonly cleared?: true;
    readonly byStep?: true;
  } | null;
};

/** Edges of streams whose effect was measured. */
async function measuredOf({ edges }: AdjustingDeps, { workspace, goalId, asOf }: Making) {
  const acting = await edges(workspace, goalId, asOf);
  return acting.filter(({ kind, curve }) => kind === 'event_stream' && responseOf(curve));
}

/** Events that lie ahead move a goal's forecast, and in a shock what follows from those that happened. */
export const adjusting = (deps: AdjustingDeps): Adjustment<KnownOfEvents> => ({
  async known(making, { times }) {
    const { workspace, goalId, steps, at, asOf, evenBands } = making;
    const measured = await measuredOf(deps, making);
    const { episode, blend } = await deps.shocks(workspace, goalId, asOf);
    const widths = evenBands ? {} : ({ byStep: true } as const);
    const shock = episode && ({ episode, blend, cleared: true, ...widths } as const);
    if (measured.length === 0) return { events: [], edges: [], shock };
    const end = stepsIn(steps).next(times.at(-1)!);
    const streams = measured.map(({ sourceKey }) => sourceKey);
    const events = await deps.ahead(workspace, streams, at, end, asOf);
    const past = await pastOf(deps.past, making, measured, episode);
    const told = new Set(events.map(({ stream }) => stream));
    const carried = new Set(past.map(({ edgeId }) => edgeId));
    const edges = measured.filter(edge => told.has(edge.sourceKey) || carried.has(edge.edgeId));
    return { events, ...(past.length > 0 && { past }), edges, shock };
  },

  async moved(making, first, { events, past = [], edges, shock }) {
    const { workspace, steps, scheduledEvents, at } = making;
    const byStream = new Map(edges.map(edge => [edge.sourceKey, edge]));
    const ahead = events.flatMap(event => {
      const edge = byStream.get(event.stream);
      return edge ? [{ event, edge }] : [];
    });
    const carried = scheduledEvents ? past : [];
    const acting = actingBy(carried, edges);
    const read = await withoutEffects(making, { series: making.series, made: first }, acting);
    const { times, skippedEvents } = read.made;
    const next = effectsAhead(steps, times, scheduledEvents ? ahead : []);
    const all = { ...next, effects: added(next.effects, effectsAt(steps, times, acting)) };
    const causes = shock ? shock.episode.causes.filter(({ removed }) => removed === null) : [];
    const scorerVersion = scorersIn([
      ...(scheduledEvents ? ahead : []).map(({ event, edge }) => scorerOf(edge.weighing, event)),
      ...[...carried, ...causes].map(one => one.scorerVersion),
    ]);
    const champion: Composed = {
      ...moved(read.made, all),
      ...(scorerVersion !== null && { scorerVersion }),
      ...{
        carriedEvents: carried.length,
        skippedEvents: skippedEvents + (scheduledEvents ? 0 : ahead.length),
      },
    };
    if (!shock) return champion;
    const generalist = await generalistOf(deps, workspace, read, all);
    const struck = actingIn(shock.episode);
    const { made } = shock.cleared ? await withoutEffects(making, read, struck) : read;
    const response = added(added(middleOf(made), all.effects), effectsAt(steps, times, struck));
    return inShock(champion, { ...shock, generalist, response, at });
  },
});

const added = (a: readonly number[], b: readonly number[]): number[] => a.map((x, h) => x + b[h]!);
const middleOf = ({ levels, quantiles }: Composed): readonly number[] => quantiles[levels.indexOf(0.5)]!;

/** The newest values that it reads. */
const READS = 4_096;

/** Its medians, moved as the champion's are; null where it is not served here, or cannot. */
async function generalistOf(
  { forecastBy, generalist, log }: AdjustingDeps,
  workspace: string,
  { series, made: { times, levels } }: Read,
  { effects }: Effects,
): Promise<readonly number[] | null> {
  const found = await generalist();
  if (!found) return null;
  const wanted = { horizon: times.length, levels, fill: 'linear', explain: false, lookback: READS } as const;
  try {
    const never = new AbortController().signal;
    const [made] = await forecastBy(workspace, found.model, [series], wanted, never);
    const middle = made!.quantiles.find(({ level }) => level === 0.5)!.values;
    return added([...middle], effects);
  } catch (error) {
    log.warn(
      { err: error },
      'the generalist could not forecast a goal in a shock; its champion has its share',
    );
    return null;
  }
}
