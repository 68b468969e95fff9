/** The loss with an adapter beside that without, over held-out windows; see `judged`. */
export type Verdict = {
  /** The geometric mean over blocks of the one relative to the other. */
  readonly ratio: number;
  /** How many standard errors below 1 it is. */
  readonly certainty: number;
  readonly blocks: number;
};

/** So much better it must be, and by so many standard errors: chosen on other series than it is judged on. */
const LEAST_GAIN = 0.985;
const CERTAIN = 2.25;
/** On fewer held-out stretches nothing is sure. */
export const LEAST_BLOCKS = 20;

/** Judges by the losses of blocks of held-out windows, before and after. */
export function judged(before: readonly number[], after: readonly number[]): Verdict {
  const logs = before.map((b, i) => Math.log(after[i]! / b)).filter(Number.isFinite);
  const mean = logs.reduce((sum, x) => sum + x, 0) / logs.length;
  const variance = logs.reduce((sum, x) => sum + (x - mean) ** 2, 0) / (logs.length - 1);
  const error = Math.sqrt(variance / logs.length);
  const certainty = error > 0 ? -mean / error : 0;
  return { ratio: Math.exp(mean), certainty, blocks: logs.length };
}

/** Whether that is worth keeping. */
export const isGain = ({ ratio, certainty, blocks }: Verdict): boolean =>
  blocks >= LEAST_BLOCKS && ratio <= LEAST_GAIN && certainty >= CERTAIN;

/** The losses of a fold's blocks at each look, of one way to train and one strength. */
export type Curve = readonly (readonly number[])[];
/** Which way, at which of its strengths, after how many looks (0 is the first). */
export type Choice = { readonly way: number; readonly strength: number; readonly look: number };

/**
 * The choice with the least loss over some folds. `curves[way][strength][fold]`; a look counts that all of
 * these folds have come to.
 */
export function bestOf(curves: readonly (readonly (readonly Curve[])[])[], folds: readonly number[]): Choice {
  let best: Choice = { way: 0, strength: 0, look: 0 };
  let least = Infinity;
  curves.forEach((strengths, way) =>
    strengths.forEach((of, strength) => {
      const looks = Math.min(...folds.map(fold => of[fold]!.length));
      for (let look = 0; look < looks; look++) {
        const loss = folds.flatMap(fold => of[fold]![look]!).reduce((sum, x) => sum + x, 0);
        if (loss < least) [best, least] = [{ way, strength, look }, loss];
      }
    }),
  );
  return best;
}
