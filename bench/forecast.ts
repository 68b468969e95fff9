import { writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { randomOf } from '../test/random.js';
import { forecastsOf, meanOf, type Made } from './forecast-kept.js';
import { fileMethod, naiveMethods, ourMethods, theirMethods, type Method } from './forecast-methods.js';
import { prepare } from './forecast-prepare.js';
import { latencyOf, printResult, resultOf } from './forecast-report.js';
import { scoresOf } from './forecast-scores.js';
import { readWindows, sampleOf, setsIn, sourcesOf, tasksOf, type Window } from './forecast-sets.js';

/**
 * The forecasters of models/presage against naive ones, theta, ets, auto.arima, the mean of these three, and
 * another pretrained model, on series that none of ours was trained on. `PYTHON=.venv/bin/python node
 * dist/bench/forecast.js [options]`; Python 3 with the packages of bench/forecast-packages.txt is needed for
 * the series and for other people's methods.
 *
 * --series=<folder>   CSV files with manifest.json and windows.csv, as one more set
 * --sets=a,b          only these of high (hours, days and weeks), m1, m3, tourism, and the folder's name
 * --most=30           at most so many series of each set and frequency, chosen by --seed=1
 * --methods=a,b       only these; the seasonal naive one is always there
 * --onnx=name=file    one more network of the form of ours; any number of times
 * --folder=<folder>   where series and forecasts are kept; what lies there is not made again
 * --json=<file>       the result once more, by default <folder>/result.json
 */
const { values: options } = parseArgs({
  options: {
    series: { type: 'string', multiple: true, default: [] },
    sets: { type: 'string' },
    methods: { type: 'string' },
    most: { type: 'string', default: 'Infinity' },
    seed: { type: 'string', default: '1' },
    onnx: { type: 'string', multiple: true, default: [] },
    json: { type: 'string' },
    folder: { type: 'string', default: join(tmpdir(), 'presage-forecast') },
  },
});
const PYTHON = process.env['PYTHON'] ?? 'python3';
const seed = Number(options.seed);
const folder = resolve(options.folder);
const sets = join(folder, 'sets');
const wanted =
  (list: string | undefined) =>
  (name: string): boolean =>
    list?.split(',').includes(name) ?? true;
const wantedMethod = wanted(options.methods);

/** The methods to compare, and those of them that are to be held against the others. */
async function methodsOf(): Promise<{ readonly methods: Method[]; readonly networks: Method[] }> {
  const own = naiveMethods().filter(({ name }) => name === 'snaive' || wantedMethod(name));
  const files = await Promise.all(
    options.onnx.map(pair => fileMethod(...(pair.split('=') as [string, string]))),
  );
  const networks = [...ourMethods(wantedMethod), ...files];
  return { methods: [...own, ...(await theirMethods(PYTHON, wantedMethod)), ...networks], networks };
}

async function windowsOf(): Promise<Window[]> {
  const windows: Window[] = [];
  for (const set of setsIn(sets).filter(wanted(options.sets)))
    windows.push(...(await readWindows(sets, set)));
  return sampleOf(windows, Number(options.most), seed);
}

/** A walk with a day of 24 hours. */
function example(): Float64Array {
  const random = randomOf(seed);
  let level = 0;
  return Float64Array.from({ length: 512 }, (_, t) => {
    level += random.next() - 0.5;
    return level + 3 * Math.sin((2 * Math.PI * t) / 24);
  });
}

const progressOf =
  (name: string, total: number) =>
  (done: number): void => {
    if (process.stderr.isTTY)
      process.stderr.write(`\r${name}: ${done} of ${total} forecasts${done === total ? '\n' : ''}`);
  };

prepare(
  'forecast-data.py',
  sets,
  options.series.map(path => resolve(path)),
);
const tasks = tasksOf(await windowsOf());
const { methods, networks } = await methodsOf();
const made = new Map<string, ReadonlyMap<string, Made>>();
const latency: Record<string, number> = {};
const named = methods.map(({ name, version }) => `${name} (${version})`);
console.log(`${tasks.length} forecasts of each of ${named.join(', ')}`);
for (const method of methods)
  made.set(
    method.name,
    await forecastsOf(method, tasks, join(folder, 'forecasts'), progressOf(method.name, tasks.length)),
  );
for (const network of networks) latency[network.name] = await latencyOf(network, example()).catch(() => NaN);
for (const method of methods) await method.close();

const three = ['theta', 'ets', 'arima'].map(name => made.get(name)).filter(each => each !== undefined);
if (three.length === 3) made.set('mean of three', meanOf(three));
const scores = new Map([...made].map(([name, forecasts]) => [name, scoresOf(tasks, forecasts)]));
const result = resultOf(
  scores,
  networks.map(({ name }) => name),
  seed,
);
printResult(result, latency);
const versions = Object.fromEntries(methods.map(({ name, version }) => [name, version]));
const file = resolve(options.json ?? join(folder, 'result.json'));
writeFileSync(
  file,
  JSON.stringify({ options, versions, latency, sources: sourcesOf(sets), ...result }, null, 1),
);
console.log(`\nthe same, and where the series come from: ${file}`);
