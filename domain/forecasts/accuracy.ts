import type { GoalMetric } from '../goals/settings.js';
import { DAY } from '../time.js';
import type { ActualStep } from './grading.js';

/** How good a goal's forecasts were, over all steps ahead. Null: nothing was graded. */
export type Accuracy = {
  readonly value: number | null;
  /** 1 less the share of seasonal naive's loss that was lost. */
  readonly skill: number | null;
  /** The share of actuals inside the 80% band. */
  readonly coverage: number | null;
  readonly n: number;
};

type Single = {
  readonly actual: number;
  readonly lead: number;
  readonly loss: number;
  readonly naiveLoss: number | null;
  readonly error: number;
  readonly score: number;
};

const singlesOf = (steps: readonly ActualStep[]): Single[] =>
  steps.flatMap(({ actual, leads, losses, naiveLosses, errors, scores }) =>
    leads.map((lead, i) => ({
      ...{ actual, lead, loss: losses[i]!, naiveLoss: naiveLosses[i]! },
      ...{ error: errors[i]!, score: scores[i]! },
    })),
  );

/** In a goal's metric; `scale`: of MASE, null where the target never changes. */
const lossIn = (metric: GoalMetric, scale: number | null): ((single: Single) => number | null) =>
  ({
    crps: ({ loss }: Single) => 2 * loss,
    pinball: ({ loss }: Single) => loss,
    mae: ({ error }: Single) => Math.abs(error),
    mase: ({ error }: Single) => (scale === null ? null : Math.abs(error) / scale),
    smape: ({ error, actual }: Single) =>
      error === 0 ? 0 : (200 * Math.abs(error)) / (Math.abs(actual) + Math.abs(actual + error)),
  })[metric];

function summed(singles: readonly Single[], of: ReturnType<typeof lossIn>): Accuracy {
  const values = singles.flatMap(single => of(single) ?? []);
  let loss = 0;
  let naive = 0;
  let inside = 0;
  for (const { loss: own, naiveLoss, score } of singles) {
    if (naiveLoss !== null) {
      loss += own;
      naive += naiveLoss;
    }
    inside += Number(Math.abs(score) <= 1);
  }
  const n = singles.length;
  return {
    value: values.length > 0 ? values.reduce((sum, x) => sum + x, 0) / values.length : null,
    skill: naive > 0 ? 1 - loss / naive : null,
    coverage: n > 0 ? inside / n : null,
    n,
  };
}

export type Windowed = {
  readonly week: Accuracy;
  readonly month: Accuracy;
  readonly byLead: readonly (Accuracy & { readonly lead: number })[];
};
export const MONTH_DAYS = 30;

/**
 * How good a goal's forecasts were in the last 7 and 30 days, which end with the newest step that came. Steps
 * in order of time.
 */
export function accuracyOf(steps: readonly ActualStep[], metric: GoalMetric, scale: number | null): Windowed {
  const newest = steps.reduce((latest, { time }) => Math.max(latest, time), -Infinity);
  const since = (days: number) => singlesOf(steps.filter(({ time }) => time > newest - days * DAY));
  const of = lossIn(metric, scale);
  const month = since(MONTH_DAYS);
  const leads = [...new Set(month.map(({ lead }) => lead))].sort((a, b) => a - b);
  return {
    week: summed(since(7), of),
    month: summed(month, of),
    byLead: leads.map(lead => ({
      lead,
      ...summed(
        month.filter(single => single.lead === lead),
        of,
      ),
    })),
  };
}
