import { createHash } from 'node:crypto';
import type { Price } from '../../domain/billing/credits.js';
import { heldAgainst, widenedBy, type Adjustment } from '../../domain/forecasts/composing.js';
import type { ForecastFollows, GoalForecastIssued } from '../../domain/forecasts/facts.js';
import type { ForecastBy } from '../../domain/goals/ports.js';
import { NOTHING_TRACKED, widthsBy, type Tracker } from '../../domain/forecasts/tracker.js';
import { goalSteps, stepKept } from '../../domain/goals/steps.js';
import type { Carried } from '../../domain/shocks/carried.js';
import { movedBy, otherBy } from './moving.js';
import type { Asked, Served } from './serving.js';
import { wantedOf } from './wanted.js';

/** Of the formulas between a history and its forecast: raised with whatever changes a number. */
export const CODE_VERSION = 'goal-forecast-2';

/** What is known of a goal's forecasts before. */
export type Before = {
  readonly latest: string | null;
  readonly tracker: Tracker;
  /** Of which month its credits are counted, and how many, in thousandths. */
  readonly month: string;
  readonly spent: number;
};
export type PuttingTogether = {
  readonly forecastBy: ForecastBy;
  /** What moves forecasts between model and calibration, in this order. */
  readonly adjustments: readonly Adjustment[];
};

/** A forecast that is to be made. */
export type Wanted = Pick<GoalForecastIssued['data'], 'goalId' | 'forecastId' | 'trigger' | 'dueAt'>;
/** One whose goal and history are at hand. */
export type Ready = Asked & { readonly wanted: Wanted };

type About = {
  readonly workspace: string;
  readonly before: Before | undefined;
  /** Epoch ms. */
  readonly at: number;
  /** Null: it costs nothing. */
  readonly price: Price | null;
  /** One that is made again: by what its bands were widened, and what was known of all that moved it. */
  readonly again?: Again;
};
/** `known` absent: it was not kept, and is what was recorded until then. */
export type Again = Pick<GoalForecastIssued['data'], 'widened' | 'record' | 'shock'> &
  Pick<ForecastFollows, 'known'>;

/** History, model, what moves it, calibration: the one place where a goal's forecast is put together. */
export async function putTogether(
  { adjustments, forecastBy }: PuttingTogether,
  { workspace, before, at, price, again }: About,
  { wanted, goal, goalId, history }: Ready,
  { by, made, composed, warnings }: Served,
): Promise<GoalForecastIssued['data']> {
  const { horizon, timezone, options } = goal.settings;
  const making = {
    ...{ workspace, goalId, steps: goalSteps(goal.settings), scheduledEvents: options.scheduledEvents },
    ...{ series: history.series, at, asOf: again && !again.known ? at : null },
    ...(again?.shock && !again.shock.bandFactors && { evenBands: true as const }),
    other: otherBy(forecastBy, workspace, by.model, history.series, wantedOf(goal)),
  };
  const { moved, known } = await movedBy(adjustments, making, composed, again?.known);
  const { coverage, n, ...tracker } = before?.tracker ?? NOTHING_TRACKED;
  const isOwn = options.calibration === 'model';
  const widened = again?.widened ?? widthsBy(isOwn ? NOTHING_TRACKED : tracker, horizon);
  const { times, mean, levels, quantiles, ...events } = widenedBy(moved, widened);
  const inputsHash = hashOf(history, [
    by.model,
    horizon,
    timezone,
    levels,
    options.calibration,
    widened,
    events,
    known,
  ]);
  return {
    ...wanted,
    ...{ asOf: at, horizon, ...stepKept(goal.settings), points: { times, mean, levels, quantiles } },
    plain: mean.every((value, h) => value === composed.mean[h]) ? null : composed.mean,
    asked: options.quantiles,
    ...{ servedBy: by.servedBy, model: by.model, name: by.name, warnings },
    ...{ dataCutoff: history.cutoff, lookbackUsed: made.lookbackUsed, filledPoints: made.filledPoints },
    read: history.read,
    ...heldAgainst(history, made),
    ...{ calibration: made.calibration, widened, record: again?.record ?? { coverage, n }, ...events },
    supersedes: before?.latest ?? null,
    ...{ inputsHash, seed: Number.parseInt(inputsHash.slice(0, 8), 16), codeVersion: CODE_VERSION },
    ...{ upTo: history.upTo, credits: price?.amount ?? 0 },
    follows: {
      ...{ timezone, calibration: options.calibration, scheduledEvents: options.scheduledEvents },
      ...{ steps: history.series.values.length, known },
    },
  };
}

/**
 * sha256 (hex) of everything that the numbers of a forecast follow from. Of events that is what their scores
 * are, whichever scorer said so, and of those that happened what they weigh, whichever they are: forecasts
 * did not always know which.
 */
function hashOf({ series: { start, step, values } }: Asked['history'], rest: readonly unknown[]): string {
  const { buffer, byteOffset, byteLength } = values;
  return createHash('sha256')
    .update(JSON.stringify([CODE_VERSION, start, step, values.length, ...rest], withoutNames))
    .update(new Uint8Array(buffer, byteOffset, byteLength))
    .digest('hex');
}

function withoutNames(name: string, value: unknown): unknown {
  if (name === 'scorerVersion') return undefined;
  if (name !== 'past' || !Array.isArray(value)) return value;
  return (value as readonly Carried[]).map(({ eventId: _, ...one }) => one);
}
