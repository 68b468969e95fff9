import type { Adjustment, Composed, Making } from '../../domain/forecasts/composing.js';
import { stepsIn } from '../../domain/forecasts/target.js';
import type { ServedModel } from '../../domain/goals/model.js';
import type { ActingEdge, ForecastBy } from '../../domain/goals/ports.js';
import {
  effectsAhead,
  inShock,
  moved,
  responseIn,
  type Effects,
  type Scheduled,
} from '../../domain/shocks/applying.js';
import { responseOf } from '../../domain/maths/effects/applied.js';
import type { Blend } from '../../domain/shocks/blend.js';
import type { Episode } from '../../domain/shocks/episode.js';
import type { ShockState } from '../../domain/shocks/state.js';
import type { Log } from '../ports/log.js';

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
  readonly edges: readonly ActingEdge[];
  /** Null: the goal is in no shock. */
  readonly shock: { readonly episode: Episode; readonly blend: Blend } | null;
};

/** Scheduled events that reach into the steps of a forecast, with the edges that tell what they do. */
async function aheadOf(
  { edges, ahead }: Pick<AdjustingDeps, 'edges' | 'ahead'>,
  { workspace, goalId, steps, at, asOf }: Making,
  times: readonly number[],
): Promise<Pick<KnownOfEvents, 'events' | 'edges'>> {
  const acting = await edges(workspace, goalId, asOf);
  const measured = acting.filter(({ kind, curve }) => kind === 'event_stream' && responseOf(curve));
  if (measured.length === 0) return { events: [], edges: [] };
  const end = stepsIn(steps).next(times.at(-1)!);
  const streams = measured.map(({ sourceKey }) => sourceKey);
  const events = await ahead(workspace, streams, at, end, asOf);
  const told = new Set(events.map(({ stream }) => stream));
  return { events, edges: measured.filter(({ sourceKey }) => told.has(sourceKey)) };
}

/** Events that lie ahead move a goal's forecast, and in a shock what follows from those that happened. */
export const adjusting = (deps: AdjustingDeps): Adjustment<KnownOfEvents> => ({
  async known(making, { times }) {
    const ahead = await aheadOf(deps, making, times);
    const { episode, blend } = await deps.shocks(making.workspace, making.goalId, making.asOf);
    return { ...ahead, shock: episode && { episode, blend } };
  },

  async moved({ workspace, steps, scheduledEvents, series, at }, made, { events, edges, shock }) {
    const byStream = new Map(edges.map(edge => [edge.sourceKey, edge]));
    const ahead = events.flatMap(event => {
      const edge = byStream.get(event.stream);
      return edge ? [{ event, edge }] : [];
    });
    const effects = effectsAhead(steps, made.times, scheduledEvents ? ahead : []);
    const skipped = made.skippedEvents + (scheduledEvents ? 0 : ahead.length);
    const champion: Composed = { ...moved(made, effects), skippedEvents: skipped };
    if (!shock) return champion;
    const generalist = await generalistOf(deps, workspace, series, made, effects);
    const response = responseIn(steps, made.times, shock.episode);
    return inShock(champion, { ...shock, generalist, response, at });
  },
});

/** The newest values that it reads. */
const READS = 4_096;

/** Its medians, moved as the champion's are; null where it is not served here, or cannot. */
async function generalistOf(
  { forecastBy, generalist, log }: AdjustingDeps,
  workspace: string,
  series: Parameters<ForecastBy>[2][number],
  { times, levels }: Composed,
  { effects }: Effects,
): Promise<readonly number[] | null> {
  const found = await generalist();
  if (!found) return null;
  const wanted = { horizon: times.length, levels, fill: 'linear', explain: false, lookback: READS } as const;
  try {
    const never = new AbortController().signal;
    const [made] = await forecastBy(workspace, found.model, [series], wanted, never);
    const middle = made!.quantiles.find(({ level }) => level === 0.5)!.values;
    return [...middle].map((value, h) => value + effects[h]!);
  } catch (error) {
    log.warn(
      { err: error },
      'the generalist could not forecast a goal in a shock; its champion has its share',
    );
    return null;
  }
}
