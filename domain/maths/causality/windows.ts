import type { Standard } from '../statistics/series.js';
import type { Stability, WindowStability } from './answer.js';
import { longestLag, pairTable } from './granger.js';
import { lagTestsOf } from './lag-tests.js';

/** From this score on a relationship is called consistent. */
const CONSISTENT = 0.7;

type Tally = { tested: number; significant: number; mean: number; squares: number };

/**
 * The whole analysis in each window by itself: the newest `count` times `rows` rows. `names[pair]` is null
 * where there is no pair. Pairs that no window could test have no score.
 */
export function windowStability(
  variables: readonly (Standard | null)[],
  names: readonly (string | null)[],
  windows: { readonly count: number; readonly rows: number; readonly total: number },
  maxLag: number,
  level: number,
): WindowStability {
  const tallies = names.map((): Tally => ({ tested: 0, significant: 0, mean: 0, squares: 0 }));
  for (let w = 1; w <= windows.count; w++) {
    const span = { from: windows.total - w * windows.rows, rows: windows.rows };
    const testsOf = lagTestsOf(pairTable(variables, span, Math.min(maxLag, longestLag(windows.rows))));
    tallies.forEach((tally, pair) => {
      const tests = testsOf(pair);
      if (tests !== null) add(tally, tests.strength, tests.p[tests.best]! < level);
    });
  }
  const scores = tallies.flatMap((tally, pair): [string, Stability][] =>
    tally.tested > 0 ? [[names[pair]!, stabilityOf(tally, windows.count)]] : [],
  );
  const stable = scores
    .filter(([, s]) => s.stability_score > 0)
    .sort(([, a], [, b]) => b.stability_score - a.stability_score || b.mean_strength - a.mean_strength);
  const list = (wanted: (score: number) => boolean) =>
    stable.filter(([, s]) => wanted(s.stability_score)).map(([name]) => name);
  return {
    stability_scores: Object.fromEntries(scores),
    consistent_relationships: list(score => score >= CONSISTENT),
    variable_relationships: list(score => score < CONSISTENT),
    window_count: windows.count,
  };
}

/** Mean, and sum of squared deviations from it, kept up as values come (Welford 1962). */
function add(tally: Tally, strength: number, significant: boolean): void {
  const step = strength - tally.mean;
  tally.tested++;
  tally.mean += step / tally.tested;
  tally.squares += step * (strength - tally.mean);
  if (significant) tally.significant++;
}

const stabilityOf = ({ tested, significant, mean, squares }: Tally, count: number): Stability => ({
  stability_score: significant / count,
  mean_strength: mean,
  std_strength: Math.sqrt(squares / tested),
  windows_significant: significant,
  windows_tested: tested,
});
