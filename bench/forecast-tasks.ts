import { writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { openFamily } from '../adapters/forecaster/family.js';
import { table } from './common.js';
import { prepare } from './forecast-prepare.js';
import { sourcesOf } from './forecast-sets.js';
import { anomalyTask } from './forecast-tasks-anomaly.js';
import { classifyTask } from './forecast-tasks-classify.js';
import { covariatesTask } from './forecast-tasks-covariates.js';
import { imputeTask } from './forecast-tasks-impute.js';
import type { TaskInput, TaskResult } from './forecast-tasks-sets.js';

/**
 * What the forecasters of models/presage do beside forecasting, on real series that none was trained on, each
 * task against simple ways to do the same: whether a slug has earned to list it. `PYTHON=.venv/bin/python
 * node dist/bench/forecast-tasks.js [options]`; Python 3 with the packages of bench/forecast-packages.txt is
 * needed for the series.
 *
 * --tasks=a,b         only these of anomaly, impute, classify, multivariate --slugs=a,b         only these
 * --most=12           at most so many series of each set and frequency, chosen by --seed=1 (anomaly, impute)
 * --series=<folder>   CSV files as one more set, see bench/forecast.ts --folder=<folder>   where series are
 * kept, the same as of bench/forecast.ts; what lies there is not made again --json=<file>       the result
 * once more, by default <folder>/tasks.json
 */
const { values: options } = parseArgs({
  options: {
    tasks: { type: 'string' },
    slugs: { type: 'string' },
    most: { type: 'string', default: '12' },
    seed: { type: 'string', default: '1' },
    series: { type: 'string', multiple: true, default: [] },
    folder: { type: 'string', default: join(tmpdir(), 'presage-forecast') },
    json: { type: 'string' },
  },
});

const TASKS: Readonly<Record<string, (input: TaskInput) => Promise<TaskResult>>> = {
  anomaly: anomalyTask,
  impute: imputeTask,
  classify: classifyTask,
  multivariate: covariatesTask,
};

const wanted =
  (list: string | undefined) =>
  (name: string): boolean =>
    list?.split(',').includes(name) ?? true;

type Timed = TaskResult & { readonly seconds: number };
const folder = resolve(options.folder);
const results: Record<string, Record<string, Timed>> = {};
prepare(
  'forecast-data.py',
  join(folder, 'sets'),
  options.series.map(path => resolve(path)),
);
prepare('forecast-tasks-data.py', join(folder, 'tasks'));
const family = openFamily({ threads: 1 });
const models = [...family.forecasters.values()].filter(({ slug }) => wanted(options.slugs)(slug));
if (models.length === 0) console.log('models/presage has no model of these');

for (const model of models) {
  const own: Record<string, Timed> = {};
  results[model.slug] = own;
  const input = { model, folder, most: Number(options.most), seed: Number(options.seed) };
  for (const [name, run] of Object.entries(TASKS).filter(([name]) => wanted(options.tasks)(name))) {
    const begin = process.cpuUsage();
    const result = await run(input);
    const { user, system } = process.cpuUsage(begin);
    own[name] = { ...result, seconds: (user + system) / 1e6 };
    console.log(`\n${model.slug} (${model.version}), ${result.title}`);
    table(result.head, result.rows);
    console.log(`${result.earned ? 'earned' : 'not earned'}: ${result.rule}`);
  }
}
await family.close();

table(
  ['slug', 'task', 'earned', 'listed', 'processor s'],
  models.flatMap(({ slug, tasks }) =>
    Object.entries(results[slug]!).map(([task, { earned, seconds }]) => [
      slug,
      task,
      earned ? 'yes' : 'no',
      (tasks as readonly string[]).includes(task) ? 'yes' : 'no',
      seconds.toFixed(0),
    ]),
  ),
);
const versions = Object.fromEntries(models.map(({ slug, version }) => [slug, version]));
const sources = [...sourcesOf(join(folder, 'sets')), ...sourcesOf(join(folder, 'tasks'))];
const file = resolve(options.json ?? join(folder, 'tasks.json'));
writeFileSync(file, JSON.stringify({ options, versions, sources, results }, null, 1));
console.log(`the same, and where the series come from: ${file}`);
