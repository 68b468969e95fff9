import { parseArgs } from 'node:util';
import { binned, BY, meanOf, said, WAYS, worstOf, WORLDS, type World } from './alerts-truth.js';
import { table } from './common.js';

/**
 * Whether what alerts of the kind `forecast_threshold` say comes true: of forecasts that cross a value with
 * a probability of p, p should. `node dist/bench/alerts.js [--origins=400] [--seed=1]`
 *
 * Series of a daily season and noise, an autoregression or a random walk; forecasts of 24 steps, the true
 * ones of the model or by a method of the platform; values from one deviation below the median to 2.5 above,
 * within 1, 6 and 24 steps. Points: by how much the share that came is off what was said, on average, and in
 * the worst tenth beyond two standard errors.
 */
const { values: options } = parseArgs({
  options: { origins: { type: 'string', default: '400' }, seed: { type: 'string', default: '1' } },
});
const [origins, seed] = [Number(options.origins), Number(options.seed)];
/** A tenth that was said less often is left out of the worst. */
const LEAST = 0.02;

const rows: string[][] = [];
for (const by of BY)
  for (const world of Object.keys(WORLDS) as World[]) {
    const figures = WAYS.map(way => {
      const all = said(world, by, way, origins, seed);
      const bins = binned(all);
      return `${meanOf(bins).toFixed(1)} (${worstOf(bins, LEAST * all.length, 2).toFixed(1)})`;
    });
    rows.push([by, world, ...figures]);
    console.log(rows.at(-1)!.join(', '));
  }
table(['Forecast by', 'Errors', 'as alerts do', 'widths alone', 'as if independent', 'largest step'], rows);
