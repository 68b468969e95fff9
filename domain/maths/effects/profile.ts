import type { Step } from '../series/grid.js';
import { nestedFits } from '../statistics/regression.js';
import { columnsOf, harmonicsOf, type Harmonic } from './season-columns.js';
import { levelErrors } from './whitening.js';

/** What of a target is known for every step: a trend, and harmonics of the season. */
export type Profile = { readonly trend: boolean; readonly harmonics: readonly Harmonic[] };

const ROUGH_GAINS = [0.01, 0.1, 0.4, 1];

/** The columns of the profile over n steps: the trend, then the harmonics. */
export function profileColumns({ trend, harmonics }: Profile, n: number): Float64Array[] {
  const columns = harmonics.flatMap(harmonic => columnsOf(harmonic, n));
  return trend ? [Float64Array.from({ length: n }, (_, t) => t / n), ...columns] : columns;
}

/** How much the first value still counts in the level: it is an error of its own. */
export function startOf(x: Float64Array, gain: number, known: Uint8Array): Float64Array {
  const first = known.indexOf(1);
  return levelErrors(
    x.map((_, t) => (t === first ? 1 : 0)),
    gain,
    known,
  );
}

/** Trend and harmonics that pay for themselves by the Bayesian information criterion (Schwarz 1978). */
export function chosenProfile(clean: Float64Array, known: Uint8Array, step: Step) {
  const groups = harmonicsOf(clean.length, step).map(group =>
    group.map(harmonic => ({ harmonic, columns: columnsOf(harmonic, clean.length) })),
  );
  const options = ROUGH_GAINS.map(gain => chosenAt(clean, known, groups, gain));
  return options.reduce((a, b) => (b.criterion < a.criterion ? b : a));
}

type Option = { readonly harmonic: Harmonic; readonly columns: readonly Float64Array[] };

function chosenAt(clean: Float64Array, known: Uint8Array, groups: readonly Option[][], gain: number) {
  const n = known.reduce((sum, x) => sum + x, 0);
  const y = levelErrors(clean, gain, known);
  const of = (columns: readonly Float64Array[]) => columns.map(x => levelErrors(x, gain, known));
  let kept: Float64Array[] = [startOf(clean, gain, known)];
  let trend = false;
  let harmonics: Harmonic[] = [];
  let criterion = criterionOf(nestedFits(kept, y).rss[1]!, 1, n);
  const slope = of(profileColumns({ trend: true, harmonics: [] }, clean.length));
  for (const group of [null, ...groups]) {
    const added = group ? group.map(({ columns }) => of(columns)) : [slope];
    const { rss } = nestedFits([...kept, ...added.flat()], y);
    let count = kept.length;
    let best = 0;
    added.forEach((columns, i) => {
      count += columns.length;
      const at = criterionOf(rss[count]!, count, n);
      if (at < criterion) [criterion, best] = [at, i + 1];
    });
    kept = [...kept, ...added.slice(0, best).flat()];
    if (group) harmonics = [...harmonics, ...group.slice(0, best).map(({ harmonic }) => harmonic)];
    else trend = best > 0;
  }
  return { criterion, trend, harmonics, gain };
}

const criterionOf = (rss: number, count: number, n: number): number =>
  n * Math.log(Math.max(rss, 1e-300) / n) + count * Math.log(n);
