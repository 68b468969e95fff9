import type { Adjustment, Composed } from '../../domain/forecasts/composing.js';
import { stepsIn } from '../../domain/forecasts/target.js';
import type { ServedModel } from '../../domain/goals/model.js';
import type { ActingEdge, ActingEdges, ForecastBy } from '../../domain/goals/ports.js';
import type { GoalSettings } from '../../domain/goals/settings.js';
import {
  effectsAhead,
  inShock,
  moved,
  responseIn,
  type Effects,
  type Scheduled,
} from '../../domain/shocks/applying.js';
import { responseOf } from '../../domain/maths/effects/applied.js';
import type { Log } from '../ports/log.js';
import type { ShockCommands } from './records.js';

/** Events of streams that lie between two times (epoch ms, neither included), scored and known now. */
export type EventsAhead = (
  workspace: string,
  streams: readonly string[],
  after: number,
  before: number,
) => Promise<readonly Scheduled[]>;

export type AdjustingDeps = {
  readonly edges: Pick<ActingEdges, 'ofGoal'>;
  readonly ahead: EventsAhead;
  readonly shocks: Pick<ShockCommands, 'state'>;
  readonly forecastBy: ForecastBy;
  /** A foundation model that is asked as it is; null: none is served here. */
  readonly generalist: () => Promise<{ readonly model: ServedModel } | null>;
  readonly log: Log;
};

type Ahead = { readonly event: Scheduled; readonly edge: ActingEdge };

/** Scheduled events that reach into the steps of a forecast, with the edges that tell what they do. */
export async function aheadOf(
  { edges, ahead }: Pick<AdjustingDeps, 'edges' | 'ahead'>,
  of: { readonly workspace: string; readonly goalId: string },
  steps: Pick<GoalSettings, 'stepS' | 'timezone'>,
  times: readonly number[],
  at: number,
): Promise<readonly Ahead[]> {
  const acting = await edges.ofGoal(of.workspace, of.goalId);
  const measured = acting.filter(({ kind, curve }) => kind === 'event_stream' && responseOf(curve));
  if (measured.length === 0) return [];
  const byStream = new Map(measured.map(edge => [edge.sourceKey, edge]));
  const end = stepsIn(steps).next(times.at(-1)!);
  const events = await ahead(of.workspace, [...byStream.keys()], at, end);
  return events.flatMap(event => {
    const edge = byStream.get(event.stream);
    return edge ? [{ event, edge }] : [];
  });
}

/** Events that lie ahead move a goal's forecast, and in a shock what follows from those that happened. */
export const adjusting =
  (deps: AdjustingDeps): Adjustment =>
  async ({ workspace, goalId, goal, history, at, made }) => {
    const { settings } = goal;
    const ahead = await aheadOf(deps, { workspace, goalId }, settings, made.times, at);
    const isWanted = settings.options.scheduledEvents;
    const effects = effectsAhead(settings, made.times, isWanted ? ahead : []);
    const skipped = made.skippedEvents + (isWanted ? 0 : ahead.length);
    const champion: Composed = { ...moved(made, effects), skippedEvents: skipped };
    const { episode, blend } = await deps.shocks.state({ workspace, goalId });
    if (!episode) return champion;
    const generalist = await generalistOf(deps, workspace, history.series, made, effects);
    const response = responseIn(settings, made.times, episode);
    return inShock(champion, { episode, blend, generalist, response, at });
  };

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
