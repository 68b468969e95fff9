import type { ActualStep } from '../forecasts/grading.js';
import type { GoalMetric } from '../goals/settings.js';

/** What forecasts of a goal lost, added up. */
export type Lost = {
  /** Graded steps, over all steps ahead; `loss` and `absolute` over these. */
  readonly n: number;
  readonly loss: number;
  readonly absolute: number;
  readonly symmetric: number;
  /** Loss where seasonal naive has one, too, and what that lost. */
  readonly paired: number;
  readonly naive: number;
  /** Inside the 80% band. */
  readonly inside: number;
};
export const NOTHING_LOST: Lost = {
  ...{ n: 0, loss: 0, absolute: 0, symmetric: 0, paired: 0, naive: 0, inside: 0 },
};

export const lostTogether = (all: readonly Lost[]): Lost => all.reduce(plus, NOTHING_LOST);

const plus = (a: Lost, b: Lost): Lost => ({
  ...{ n: a.n + b.n, loss: a.loss + b.loss, absolute: a.absolute + b.absolute },
  ...{ symmetric: a.symmetric + b.symmetric, paired: a.paired + b.paired },
  ...{ naive: a.naive + b.naive, inside: a.inside + b.inside },
});

/** Of all forecasts of a step. */
export const lostAt = ({ actual, losses, naiveLosses, errors, scores }: ActualStep): Lost =>
  lostTogether(
    losses.map((loss, i) => {
      const [naive, error] = [naiveLosses[i] ?? null, errors[i]!];
      return {
        ...{ n: 1, loss, absolute: Math.abs(error), symmetric: symmetric(error, actual) },
        ...{ paired: naive === null ? 0 : loss, naive: naive ?? 0 },
        inside: Number(Math.abs(scores[i]!) <= 1),
      };
    }),
  );

const symmetric = (error: number, actual: number): number =>
  error === 0 ? 0 : (200 * Math.abs(error)) / (Math.abs(actual) + Math.abs(actual + error));

/** How a goal did: in its metric, against seasonal naive, and with its 80% band. Null: nothing says so. */
export type Did = {
  readonly value: number | null;
  readonly skill: number | null;
  readonly coverage: number | null;
  readonly n: number;
};

/** `scale`: of MASE, null where the target never changes. */
export function didBy(lost: Lost, metric: GoalMetric, scale: number | null): Did {
  const { n, loss, absolute, paired, naive, inside } = lost;
  if (n === 0) return { value: null, skill: null, coverage: null, n };
  const values: Readonly<Record<GoalMetric, number | null>> = {
    ...{ crps: (2 * loss) / n, pinball: loss / n, mae: absolute / n, smape: lost.symmetric / n },
    mase: scale === null ? null : absolute / scale / n,
  };
  return {
    value: values[metric],
    skill: naive > 0 ? 1 - paired / naive : null,
    coverage: inside / n,
    n,
  };
}
