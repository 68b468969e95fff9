import { resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { defaultModelDir, readModelFiles } from '../adapters/scorer/files.js';
import { createComparison } from '../adapters/scorer/profiles.js';
import { createModel, type SentenceReading } from '../adapters/scorer/session.js';
import { relevanceOf } from '../domain/events/score-formulas.js';
import type { Profile } from '../domain/events/scoring.js';
import { table } from './common.js';
import { areaUnderRoc } from './forecast-tasks-inject.js';
import { labelled } from './scorer-set.js';
import {
  describedWorkspaces,
  domainWorkspaces,
  writtenWorkspaces,
  type Workspace,
} from './scorer-workspaces.js';

/**
 * How well the event scorer tells a workspace's own events from those of others, by what its profile is made
 * of: behind a semicolon stand what are its names, before it what are its own words.
 * `node dist/bench/scorer-profiles.js [options]`
 *
 * --part=dev        of the labelled texts, or test, which is for final figures only
 * --model=<folder>  another scorer of the same form
 */
const { values: options } = parseArgs({
  options: {
    part: { type: 'string', default: 'dev' },
    model: { type: 'string', default: defaultModelDir() },
  },
});
const folder = resolve(options.model);
const model = await createModel(readModelFiles(folder));
const data = defaultModelDir();

type Parts = Pick<Profile, 'phrases' | 'names' | 'targets'>;
type Way = (workspace: Workspace) => Parts;
/** Names of signals that say nothing of what a workspace is about. */
const OPAQUE = Array.from({ length: 16 }, (_, i) => `kpi_${i + 1}`);
/** Such as any workspace may have. */
const COMMON = [
  ...['applications', 'occupancy', 'daily_users', 'error_rate', 'revenue', 'visits', 'orders', 'price_index'],
  ...['temperature', 'returns', 'stock', 'incidents', 'complaints', 'calls', 'bookings', 'delay_minutes'],
  ...['output', 'cost', 'margin', 'headcount', 'power_use', 'wait_time', 'sessions', 'sales'],
];
const goalsOf = ({ goals }: Workspace) => ({
  names: goals.map(({ name }) => name),
  targets: goals.map(({ target }) => target),
});
const all = (workspace: Workspace) => {
  const { names, targets } = goalsOf(workspace);
  return { names: [...workspace.streams, ...workspace.signals, ...names], targets };
};

const WAYS: Readonly<Record<string, Way>> = {
  terms: ({ terms }) => ({ phrases: terms }),
  'terms; streams': ({ terms, streams }) => ({ phrases: terms, names: streams }),
  'terms; signals': ({ terms, signals }) => ({ phrases: terms, names: signals }),
  'terms; goals': w => ({ phrases: w.terms, ...goalsOf(w) }),
  'terms; streams, signals': ({ terms, streams, signals }) => ({
    phrases: terms,
    names: [...streams, ...signals],
  }),
  'terms; streams, signals, goals': w => ({ phrases: w.terms, ...all(w) }),
  'terms; those and 24 common names': w => {
    const { names, targets } = all(w);
    return { phrases: w.terms, names: [...names, ...COMMON], targets };
  },
  'terms; 16 opaque signals': ({ terms }) => ({ phrases: terms, names: OPAQUE }),
  streams: ({ streams }) => ({ phrases: [], names: streams }),
  'streams, signals, goals': w => ({ phrases: [], ...all(w) }),
  '16 opaque signals': () => ({ phrases: [], names: OPAQUE }),
  // As if they were the workspace's own words
  'terms, streams': ({ terms, streams }) => ({ phrases: [...terms, ...streams] }),
  'terms, signals': ({ terms, signals }) => ({ phrases: [...terms, ...signals] }),
  'terms, streams, signals, goals': w => {
    const { names, targets } = all(w);
    return { phrases: [...w.terms, ...names, ...targets] };
  },
  'terms, 16 opaque signals': ({ terms }) => ({ phrases: [...terms, ...OPAQUE] }),
  'no terms; streams, signals, goals as terms': w => {
    const { names, targets } = all(w);
    return { phrases: [...names, ...targets] };
  },
};

type Read = { readonly workspace: Workspace; readonly readings: readonly SentenceReading[] };
const sets: Readonly<Record<string, readonly Workspace[]>> = {
  'written for this measurement': writtenWorkspaces(data),
  'that the vector was chosen by': describedWorkspaces(data),
  [`domains, texts of the ${options.part} part`]: domainWorkspaces(
    data,
    labelled(`${data}/data`),
    options.part,
  ),
};

async function read(workspace: Workspace): Promise<Read> {
  const readings: SentenceReading[] = [];
  for (const text of workspace.texts) readings.push(await model.read(text, false));
  return { workspace, readings };
}

type Judged = { readonly own: readonly number[]; readonly others: readonly number[] };
/** Relevance of a workspace's own texts and of all others', by its profile. */
async function judged(everybody: readonly Read[], of: Read, profileOf: Way): Promise<Judged> {
  const compare = createComparison(model);
  const profile: Profile = { version: '', description: '', ...profileOf(of.workspace) };
  const relevances = async (readings: readonly SentenceReading[]): Promise<number[]> => {
    const found: number[] = [];
    for (const reading of readings) found.push(relevanceOf((await compare(reading, profile)).closeness));
    return found;
  };
  const strangers = everybody.filter(other => other !== of).flatMap(({ readings }) => readings);
  return { own: await relevances(of.readings), others: await relevances(strangers) };
}

const mean = (values: readonly number[]): number =>
  values.reduce((sum, value) => sum + value, 0) / values.length;
const auc = ({ own, others }: Judged): number =>
  areaUnderRoc([...own, ...others], [...own.map(() => true), ...others.map(() => false)]);
const pooled = (found: readonly Judged[]): number =>
  auc({ own: found.flatMap(({ own }) => own), others: found.flatMap(({ others }) => others) });
const show = (x: number): string => x.toFixed(3);

/** Of paired differences: mean and standard error. */
function change(before: readonly number[], after: readonly number[]): string {
  const differences = after.map((x, i) => x - before[i]!);
  const middle = mean(differences);
  const variance = mean(differences.map(x => (x - middle) ** 2));
  return `${show(middle)} ± ${show(Math.sqrt(variance / (differences.length - 1)))}`;
}

console.log(`event-scorer ${model.version}`);
for (const [name, workspaces] of Object.entries(sets)) {
  const everybody: Read[] = [];
  for (const workspace of workspaces) everybody.push(await read(workspace));
  const texts = workspaces.reduce((sum, workspace) => sum + workspace.texts.length, 0);
  console.log(`\n${workspaces.length} workspaces ${name}, ${texts} texts`);
  const rows: string[][] = [];
  let first: readonly number[] | null = null;
  for (const [way, profileOf] of Object.entries(WAYS)) {
    const found: Judged[] = [];
    for (const one of everybody) found.push(await judged(everybody, one, profileOf));
    const each = found.map(auc);
    first ??= each;
    const own = found.flatMap(judgement => judgement.own);
    const others = found.flatMap(judgement => judgement.others);
    rows.push([
      ...[way, show(pooled(found)), show(mean(each)), change(first, each)],
      ...[show(mean(own)), show(mean(others))],
      show(own.filter(x => x < 0.5).length / own.length),
    ]);
  }
  table(
    [
      'profile of',
      'AUC, all together',
      'AUC, mean of workspaces',
      'more than with terms, ± standard error',
      'mean relevance, own',
      'of others',
      'own below .5',
    ],
    rows,
  );
}
await model.close();
