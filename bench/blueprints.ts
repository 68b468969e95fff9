import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { openTrained } from '../adapters/forecaster/trained.js';

import { LEVELS } from '../domain/maths/forecasting/quantiles.js';
import { atLevels } from '../domain/maths/forecasting/tails.js';
import { ALGORITHM_NAMES, completed, type AlgorithmName } from '../domain/models/algorithms.js';
import { DAY } from '../domain/time.js';
import { fit } from '../domain/trainings/custom/fit.js';
import type { TrainingTable } from '../domain/trainings/ports.js';
import { forecastsOf, type Made } from './forecast-kept.js';
import { naiveMethods, theirMethods, type Asked, type Method } from './forecast-methods.js';
import { printResult, resultOf } from './forecast-report.js';
import { scoresOf } from './forecast-scores.js';
import { readWindows, sampleOf, setsIn, tasksOf } from './forecast-sets.js';

/**
 * The blueprints, each trained on the past of one series alone, beside statsforecast's theta, ets and arima
 * on the same windows. `PYTHON=.venv/bin/python node dist/bench/blueprints.js [options]`; the series are
 * those that bench/forecast.ts has prepared in the same folder.
 *
 * --sets=a,b --most=6 --seed=1 --folder=<folder>   as bench/forecast.ts has them
 * --methods=a,b   only these algorithms
 * --edition=1     what forecasts of ours are kept under: another one makes them again
 */
const { values: options } = parseArgs({
  options: {
    sets: { type: 'string' },
    methods: { type: 'string' },
    most: { type: 'string', default: '6' },
    seed: { type: 'string', default: '1' },
    edition: { type: 'string', default: '1' },
    folder: { type: 'string', default: join(tmpdir(), 'presage-forecast') },
  },
});
const folder = resolve(options.folder);
const seed = Number(options.seed);
const wanted =
  (list: string | undefined) =>
  (name: string): boolean =>
    list?.split(',').includes(name) ?? true;

/** A table of one series; the sets do not say when its values were. */
const tableOf = (target: Float64Array): TrainingTable => ({
  step: { ms: DAY, months: 0 },
  timezone: 'UTC',
  columns: [{ name: 'y', role: 'target' }],
  series: [{ entity: null, times: Float64Array.from(target.keys(), t => t * DAY), columns: [target] }],
  folds: [],
});

async function forecastBy(algorithm: AlgorithmName, { context, period, horizon }: Asked) {
  const own = completed(algorithm, {});
  const hyperparameters = 'calendar' in own ? { ...own, calendar: false } : own;
  const recipe = { algorithm, hyperparameters };
  const asked = { recipe, horizon, gap: 0, lookback: null, period, seed };
  const { model, graph } = fit(tableOf(context), asked, () => {
    /* nobody waits for it */
  });
  const { forecast, close } = await openTrained(model, graph ?? new Uint8Array());
  const values = await forecast({ values: context, period }, horizon);
  await close();
  return atLevels({ horizon, levels: model.levels, values }, LEVELS).values;
}

const blueprint = (algorithm: AlgorithmName): Method => ({
  name: `our ${algorithm}`,
  version: options.edition,
  close: async () => {
    /* nothing is open */
  },
  async forecast(asked) {
    const begin = process.cpuUsage();
    const quantiles = await forecastBy(algorithm, asked);
    const { user, system } = process.cpuUsage(begin);
    return { ms: (user + system) / 1000, quantiles };
  },
});

const sets = join(folder, 'sets');
const windows = [];
for (const set of setsIn(sets).filter(wanted(options.sets))) windows.push(...(await readWindows(sets, set)));
const tasks = tasksOf(sampleOf(windows, Number(options.most), seed));
const theirs = await theirMethods(process.env['PYTHON'] ?? 'python3', wanted('theta,ets,arima'));
const methods = [
  ...naiveMethods().filter(({ name }) => name === 'snaive'),
  ...ALGORITHM_NAMES.filter(name => name !== 'seasonal_naive')
    .filter(wanted(options.methods))
    .map(blueprint),
  ...theirs,
];
console.log(`${tasks.length} forecasts of each of ${methods.map(({ name }) => name).join(', ')}`);
const made = new Map<string, ReadonlyMap<string, Made>>();
for (const method of methods) {
  made.set(
    method.name,
    await forecastsOf(method, tasks, join(folder, 'forecasts'), () => {
      /* it is quiet */
    }),
  );
  console.log(`${method.name} is done`);
}
for (const method of methods) await method.close();
const scores = new Map([...made].map(([name, forecasts]) => [name, scoresOf(tasks, forecasts)]));
const ours = methods.map(({ name }) => name).filter(name => name.startsWith('our '));
printResult(resultOf(scores, ours, seed), {});
