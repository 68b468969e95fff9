import { beats, compare } from '../domain/trainings/comparison.js';
import { madeLosses, scoresOf } from '../test/domain/trainings/made-losses.js';
import { quick, table } from './common.js';

/**
 * How often a candidate takes the place of what serves, in worlds that are made: where it is as good, and
 * where it is better by a tenth. Errors of steps beside each other are alike (0.8) and grow with the root of
 * the step; 90% of their variance is common to both models. `node dist/bench/candidate-rule.js [--quick]`
 */
const RUNS = quick ? 50 : 250;
const ALIKE = 0.9;

const replaced = (folds: number, steps: number, series: number, better: number): string => {
  let won = 0;
  for (let run = 0; run < RUNS; run++) {
    const losses = madeLosses({ folds, steps, series, alike: ALIKE, better }, run);
    if (beats(compare(losses, scoresOf(losses), false, run), 0)) won++;
  }
  return `${((100 * won) / RUNS).toFixed(1)}%`;
};

const rows: string[][] = [];
for (const series of [1, 10])
  for (const steps of [1, 6, 24])
    for (const folds of [1, 3, 5, 10, 20]) {
      const shown = [series, steps, folds].map(String);
      rows.push([...shown, replaced(folds, steps, series, 0), replaced(folds, steps, series, 0.1)]);
    }
table(['Series', 'Steps', 'Folds', 'Replaced: equal', 'Replaced: better by 10%'], rows);
