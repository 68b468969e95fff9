import { writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { fileMethod, naiveMethods, ourMethods, type Method } from './forecast-methods.js';
import { writePictures } from './forecast-stress-pictures.js';
import { forecastOf, type Tried } from './forecast-stress-scores.js';
import { casesOf, type Case } from './forecast-stress-series.js';
import { printTables, tablesOf, type Found } from './forecast-stress-tables.js';

/**
 * The forecasters of models/presage on drawn series that are difficult but ordinary, whose processes are
 * known: `nice node dist/bench/forecast-stress.js [options]`. It needs nothing but the build. The processes
 * were written without a look at the generator that the networks are trained on.
 *
 * --onnx=name=file    one more network of the form of ours; any number of times
 * --slugs=a,b         only these of models/presage; by default nano and mini
 * --most=60           so many series of each group, drawn by --seed=1
 * --json=<file>       the result once more
 * --pictures=<folder> an SVG file for each group, its first four series as the first network forecasts them
 */
const { values: options } = parseArgs({
  options: {
    onnx: { type: 'string', multiple: true, default: [] },
    slugs: { type: 'string', default: 'nano,mini' },
    most: { type: 'string', default: '60' },
    seed: { type: 'string', default: '1' },
    json: { type: 'string' },
    pictures: { type: 'string' },
  },
});

/** What a network says of all cases, beside seasonal naive. */
async function triedBy(method: Method, naive: Method, cases: readonly Case[]): Promise<Tried[]> {
  const tried: Tried[] = [];
  for (const each of cases)
    tried.push({
      ...each,
      forecast: await forecastOf(method, each),
      naive: await forecastOf(naive, each),
    });
  return tried;
}

const slugs = options.slugs.split(',');
const files = await Promise.all(
  options.onnx.map(pair => fileMethod(...(pair.split('=') as [string, string]))),
);
const ours = ourMethods(slug => slugs.includes(slug));
const networks = [...ours.sort((a, b) => slugs.indexOf(a.name) - slugs.indexOf(b.name)), ...files];
const naive = naiveMethods().find(({ name }) => name === 'snaive')!;
const cases = casesOf(Number(options.seed), Number(options.most));
const found: Record<string, Found[]> = {};
const named = networks.map(({ name, version }) => `${name} (${version})`);
console.log(`${cases.length} series, seed ${options.seed}, by ${named.join(', ')}\n`);
for (const [i, method] of networks.entries()) {
  const tried = await triedBy(method, naive, cases);
  if (i === 0 && options.pictures) writePictures(resolve(options.pictures), method.name, tried);
  found[method.name] = await tablesOf(method, tried);
}
for (const { close } of networks) await close();
if (networks.length > 0) printTables(found);
const versions = Object.fromEntries(networks.map(({ name, version }) => [name, version]));
if (options.json)
  writeFileSync(resolve(options.json), JSON.stringify({ options, versions, networks: found }, null, 1));
