import { median, table } from './common.js';
import { M3_COMPETITORS, M3_FREQUENCIES, M3_SERIES, m3Line } from './forecast-m3.js';
import type { Method } from './forecast-methods.js';
import {
  horizonGroup,
  ratioOf,
  summariesBy,
  type Ratio,
  type Score,
  type Scores,
  type Summary,
} from './forecast-scores.js';
import { grouped, type Window } from './forecast-sets.js';

// The tables of bench/forecast.ts, and the same as JSON.

export type Grouped = Readonly<Record<string, Readonly<Record<string, Summary>>>>;
export type Line = {
  readonly ms: number;
  readonly failed: number;
  readonly groups: Grouped;
  readonly m3?: readonly number[];
};
/** One of our networks against another method, in a group of windows. */
export type Against = {
  readonly method: string;
  readonly other: string;
  readonly group: string;
  readonly mase: Ratio;
  readonly wql: Ratio;
};
export type Result = {
  readonly methods: Readonly<Record<string, Line>>;
  readonly against: readonly Against[];
};

const GROUPS: Readonly<Record<string, (window: Window) => string>> = {
  all: () => 'all',
  set: ({ set }) => set,
  frequency: ({ freq }) => freq,
  horizon: horizonGroup,
  'frequency and set': ({ set, freq }) => `${freq} ${set}`,
  'frequency and horizon': window => `${window.freq} ${horizonGroup(window)}`,
};

const FREQUENCIES = ['halfhourly', 'hourly', 'daily', 'weekly', 'monthly', 'quarterly', 'yearly', 'other'];

/** From the finest to the coarsest step, from the nearest to the furthest horizon. */
const inOrder = (a: string, b: string): number => rank(a)[0]! - rank(b)[0]! || rank(a)[1]! - rank(b)[1]!;
const rank = (group: string): number[] => [
  FREQUENCIES.indexOf(group.split(' ')[0]!),
  Number(/(?:^| )(\d+)$/.exec(group)?.[1] ?? 0),
];

export function resultOf(scores: Scores, networks: readonly string[], seed: number): Result {
  const naive = scores.get('snaive')!;
  const methods = Object.fromEntries([...scores].map(([name, own]) => [name, lineOf(own, naive)]));
  const others = ['ets', 'arima', 'fracast'].filter(other => scores.has(other));
  return {
    methods,
    against: networks.flatMap(method => others.flatMap(other => againstOf(scores, method, other, seed))),
  };
}

function againstOf(scores: Scores, method: string, other: string, seed: number): Against[] {
  const own = scores.get(method)!;
  const theirs = scores.get(other)!;
  const groups = ['all', 'set', 'frequency', 'horizon'].flatMap(kind =>
    [...grouped(own.keys(), i => GROUPS[kind]!(own[i]!.window))].sort(([a], [b]) => inOrder(a, b)),
  );
  return groups.map(([group, at]) => {
    const ratio = (metric: 'mase' | 'wql') =>
      ratioOf(
        at.map(i => own[i]!),
        at.map(i => theirs[i]!),
        metric,
        seed,
      );
    return { method, other, group, mase: ratio('mase'), wql: ratio('wql') };
  });
}

function lineOf(scores: readonly Score[], naive: readonly Score[]): Line {
  const groups = Object.fromEntries(
    Object.entries(GROUPS).map(([kind, groupOf]) => [
      kind,
      Object.fromEntries([...summariesBy(scores, naive, groupOf)].sort(([a], [b]) => inOrder(a, b))),
    ]),
  );
  const failed = scores.filter(score => score.failed).length;
  const ms = median(scores.map(score => score.ms).filter(ms => !Number.isNaN(ms)));
  return {
    ms,
    failed,
    groups,
    ...(scores.some(({ window }) => window.set === 'm3') ? { m3: m3Line(scores) } : {}),
  };
}

const three = (x: number): string => x.toFixed(3);
const percent = (x: number): string => `${(100 * x).toFixed(1)}%`;
const both = ({ mase, wql }: Summary): string => `${three(mase)} / ${three(wql)}`;

export function printResult({ methods, against }: Result, latency: Readonly<Record<string, number>>): void {
  const lines = Object.entries(methods);
  const { groups, m3 } = lines[0]![1];
  const sets = Object.keys(groups['set']!);
  if (sets.length > 1) printSummaries('all', 'all', lines);
  for (const set of sets) printSummaries('set', set, lines);
  for (const kind of ['frequency', 'horizon', 'frequency and set', 'frequency and horizon'])
    printGroups(kind, lines);
  printTimes(lines, latency);
  for (const [method, rows] of grouped(against, row => row.method)) printAgainst(method, rows);
  if (m3) printM3(lines);
}

function printSummaries(kind: string, group: string, lines: readonly (readonly [string, Line])[]): void {
  const summaries = lines.map(([name, { groups }]) => [name, groups[kind]![group]!] as const);
  console.log(
    `\n${group}: ${summaries[0]![1].windows} windows; MASE and WQL relative to the seasonal naive forecast`,
  );
  table(
    ['method', 'MASE', 'WQL', 'sMAPE', '80% band covers'],
    summaries.map(([name, { mase, wql, smape, coverage }]) => [
      name,
      three(mase),
      three(wql),
      smape.toFixed(2),
      percent(coverage),
    ]),
  );
}

function printGroups(kind: string, lines: readonly (readonly [string, Line])[]): void {
  const groups = Object.entries(lines[0]![1].groups[kind]!);
  console.log(`\nby ${kind}, MASE / WQL`);
  table(
    [kind, 'windows', ...lines.map(([name]) => name)],
    groups.map(([group, { windows }]) => [
      group,
      `${windows}`,
      ...lines.map(([, line]) => both(line.groups[kind]![group]!)),
    ]),
  );
}

const milliseconds = (ms = NaN): string => (Number.isNaN(ms) ? '' : ms.toFixed(ms < 10 ? 2 : 0));

function printTimes(
  lines: readonly (readonly [string, Line])[],
  latency: Readonly<Record<string, number>>,
): void {
  table(
    ['method', 'CPU ms a series here (median)', 'CPU ms of context 512, horizon 64', 'failed'],
    lines.map(([name, line]) => [name, milliseconds(line.ms), milliseconds(latency[name]), `${line.failed}`]),
  );
}

/** Below 1 the network is better; where the whole interval is, it is not by chance of the series. */
function printAgainst(method: string, rows: readonly Against[]): void {
  const shown = ({ ratio, low, high }: Ratio): string => `${three(ratio)} (${three(low)} to ${three(high)})`;
  const groups = [...grouped(rows, row => row.group)];
  const others = groups[0]![1].map(({ other }) => other);
  console.log(`\n${method}: its MASE and WQL as shares of others', and their 95% intervals over series`);
  table(
    ['windows', ...others.flatMap(other => [`MASE / ${other}`, `WQL / ${other}`])],
    groups.map(([group, row]) => [group, ...row.flatMap(({ mase, wql }) => [shown(mase), shown(wql)])]),
  );
}

function printM3(lines: readonly (readonly [string, Line])[]): void {
  const row = (name: string, numbers: readonly number[]): string[] => [
    name,
    ...numbers.map(x => x.toFixed(2)),
  ];
  const competitors = Object.entries(M3_COMPETITORS).map(([name, numbers]) =>
    row(`${name} (M3, 2000)`, numbers),
  );
  const rows = [...lines.map(([name, { m3 }]) => row(name, m3!)), ...competitors];
  const { windows } = lines[0]![1].groups['set']!['m3']!;
  const part = windows < M3_SERIES ? `, of a sample of ${windows}: not to be compared` : '';
  console.log(`\nM3, symmetric MAPE as the competition counts it${part}`);
  table(
    ['method', ...M3_FREQUENCIES, 'all'],
    rows.sort((a, b) => Number(a.at(-1)) - Number(b.at(-1))),
  );
}

/**
 * The median milliseconds, of the processor, of one series of 512 values, 64 steps ahead: of 50 rounds, or
 * what a second allows.
 */
export async function latencyOf({ forecast }: Method, context: Float64Array): Promise<number> {
  const asked = { context, period: 24, horizon: 64 };
  const times: number[] = [];
  await forecast(asked);
  const end = performance.now() + 1000;
  do times.push((await forecast(asked)).ms);
  while (times.length < 50 && performance.now() < end);
  return median(times);
}
