import { analyseRelevance } from '../domain/maths/relevance/analysis.js';
import type { RelevanceRow } from '../domain/maths/relevance/answer.js';
import {
  column,
  drivenBy,
  normal,
  rare,
  regressive,
  seasonal,
  trending,
  white,
  type Make,
} from '../test/domain/maths/relevance/made.js';
import { randomOf, type Random } from '../test/random.js';
import { quick, table } from './common.js';

/**
 * Relevance against planted truth, made from a seed: how often a key that has nothing to do with the target
 * seems to help, and how often one that drives it at lag 3 is found. `node dist/bench/relevance-truth.js
 * [--quick]`
 */
const RUNS = quick ? 40 : 400;
const LAG = 3;
const share = (count: number): string => `${((100 * count) / RUNS).toFixed(1)}%`;

const heavy: Make = (length, random) =>
  column(length, () => normal(random) / Math.max(0.05, Math.abs(normal(random))));
const noise: readonly [name: string, target: Make, key: Make][] = [
  ['white noise', white, white],
  ['autoregressive, 0.8', regressive(0.8), regressive(0.8)],
  ['random walks', regressive(1), regressive(1)],
  ['trends and noise', trending, trending],
  ['a season of 12 of any shape', seasonal, seasonal],
  ['heavy tails', heavy, heavy],
  ['rare events and an autoregression', regressive(0.8), rare],
];

const rowOf = (
  target: Float64Array,
  key: Float64Array,
  horizon: number,
  season: number | null,
): RelevanceRow =>
  analyseRelevance({
    target,
    candidates: [{ key: 'x', type: 'signal', values: key }],
    step: 1000,
    horizon,
    season,
  }).rows[0]!;

function falseFinds([name, target, key]: (typeof noise)[number]): string[] {
  const random = randomOf(7);
  const season = target === seasonal ? 12 : null;
  const settings = [
    [45, 1],
    [120, 1],
    [120, 6],
    [500, 1],
    [500, 12],
  ] as const;
  return [
    name,
    ...settings.map(([length, horizon]) => {
      const rows = Array.from({ length: RUNS }, () =>
        rowOf(target(length, random), key(length, random), horizon, season),
      );
      const above = (least: number) => share(rows.filter(row => row.relevance > least).length);
      return `${above(0)} / ${above(0.05)}`;
    }),
  ];
}

type Planted = {
  readonly name: string;
  readonly key: Make;
  readonly change?: true;
  readonly strengths: readonly number[];
};
const planted: readonly Planted[] = [
  { name: 'white noise', key: white, strengths: [0.3, 0.5, 1] },
  { name: 'autoregressive, 0.8', key: regressive(0.8), strengths: [0.3, 0.5, 1] },
  { name: 'changes of a random walk', key: regressive(1), change: true, strengths: [0.3, 0.5, 1] },
  { name: 'rare events (6%)', key: rare, strengths: [1, 2, 4] },
];

function finds({ name, key, change, strengths }: Planted): string[][] {
  return strengths.map(strength => [
    name,
    String(strength),
    ...[60, 120, 500].map(length => {
      const random = randomOf(11);
      const rows = Array.from({ length: RUNS }, () => driven(key(length, random), strength, change, random));
      const lift = rows.reduce((sum, row) => sum + row.lift, 0) / RUNS;
      const found = rows.filter(row => row.relevance > 0).length;
      const placed = rows.filter(row => row.lag_s === LAG).length;
      return `${share(found)} / ${share(placed)} / ${lift.toFixed(3)}`;
    }),
  ]);
}

function driven(x: Float64Array, strength: number, change: true | undefined, random: Random): RelevanceRow {
  const driver = change ? column(x.length, t => x[t]! - (x[t - 1] ?? x[t]!)) : x;
  return rowOf(drivenBy(driver, LAG, strength, random), x, 1, null);
}

console.log('Keys that have nothing to do with the target: relevance above 0 / above 0.05');
table(['Steps, horizon', '45, 1', '120, 1', '120, 6', '500, 1', '500, 12'], noise.map(falseFinds));
console.log('Keys that drive it at lag 3: relevance above 0 / the right lag / mean lift');
table(['Key', 'Strength', '60 steps', '120', '500'], planted.flatMap(finds));
