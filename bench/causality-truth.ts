import { analyseCausality } from '../domain/maths/causality/analysis.js';
import type { PairResult } from '../domain/maths/causality/answer.js';
import { quick, table } from './common.js';

/**
 * Causality against planted truth: systems whose edges are known, made from a seed. How many true edges are
 * found (power), and how many are found that are not there, before correction (p below 0.05) and after it (q
 * at most 0.05). `node dist/bench/causality-truth.js [--quick]`
 */
const RUNS = quick ? 40 : 500;
const LEVEL = 0.05;

type Normal = () => number;
type System = {
  readonly name: string;
  readonly series: (normal: Normal) => readonly Float64Array[];
  /** Cause and effect by place. */
  readonly edges: readonly (readonly [cause: number, effect: number])[];
  readonly trends?: boolean;
  /** What is measured there is a few in a hundred: four times as many runs. */
  readonly noise?: boolean;
};
type Setting = {
  readonly name: string;
  readonly maxLag: number | null;
  readonly difference: 'none' | 'auto';
};

/** Normal numbers from a seed: `xoshiro128**`, and Box and Muller's transformation. */
function normalOf(seed: number): Normal {
  const state = Uint32Array.of(seed, 0x9e3779b9, 0x243f6a88, 0xb7e15162);
  const turn = (x: number, k: number) => ((x << k) | (x >>> (32 - k))) >>> 0;
  const next = (): number => {
    const result = Math.imul(turn(Math.imul(state[1]!, 5), 7), 9) >>> 0;
    const shifted = state[1]! << 9;
    state[2]! ^= state[0]!;
    state[3]! ^= state[1]!;
    state[1]! ^= state[2]!;
    state[0]! ^= state[3]!;
    state[2]! ^= shifted;
    state[3] = turn(state[3]!, 11);
    return (result + 0.5) / 2 ** 32;
  };
  for (let i = 0; i < 50; i++) next();
  return () => Math.sqrt(-2 * Math.log(next())) * Math.cos(2 * Math.PI * next());
}

const WARM_UP = 100;
const own = 0.4;
type Link = readonly [cause: number, effect: number, lag: number, weight: number];

/** A vector autoregression: every variable follows itself by `own`, and its causes by their weights. */
function vectorAutoregression(
  count: number,
  rows: number,
  links: readonly Link[],
  normal: Normal,
): Float64Array[] {
  const series = Array.from({ length: count }, () => new Float64Array(rows + WARM_UP));
  for (let t = 1; t < rows + WARM_UP; t++)
    series.forEach((x, v) => {
      x[t] = own * x[t - 1]! + normal();
      for (const [cause, effect, lag, weight] of links)
        if (effect === v) x[t]! += weight * (series[cause]![t - lag] ?? 0);
    });
  return series.map(x => x.slice(WARM_UP));
}

const made = (count: number, rows: number, value: (t: number, v: number) => number): Float64Array[] =>
  Array.from({ length: count }, (_, v) => Float64Array.from({ length: rows }, (_, t) => value(t, v)));

const cumulated = (x: Float64Array): Float64Array => {
  let sum = 0;
  return x.map(step => (sum += step));
};

const trendAndNoise = (normal: Normal): Float64Array[] =>
  made(10, 250, (t, v) => ((v + 1) * t) / 50 + normal());

const walks = (normal: Normal): Float64Array[] => made(10, 250, normal).map(cumulated);

const pairs = (links: readonly Link[]) => links.map(([cause, effect]) => [cause, effect] as const);
const weak: readonly Link[] = [
  [0, 1, 1, 0.25],
  [2, 3, 2, 0.25],
  [4, 5, 3, 0.25],
  [6, 7, 1, 0.25],
];
const strong: readonly Link[] = weak.map(([cause, effect, lag]) => [cause, effect, lag, 0.5]);

/** 0 drives 1 at lag 1 and 2 at lag 3; it is seen, or not. */
const driver: readonly Link[] = [
  [0, 1, 1, 0.8],
  [0, 2, 3, 0.8],
];

const noise = (name: string, series: System['series']): System => ({ name, series, edges: [], noise: true });
const var10 = (links: readonly Link[], rows: number, weight: number): System => ({
  name: `VAR, 10 variables, 4 edges of ${weight}, ${rows} rows`,
  edges: pairs(links),
  series: normal => vectorAutoregression(10, rows, links, normal),
});

const systems: readonly System[] = [
  noise('noise, 10 variables, 250 rows', normal => made(10, 250, normal)),
  noise('noise, 10 variables, 60 rows', normal => made(10, 60, normal)),
  noise('own past only, 10 variables, 250 rows', normal => vectorAutoregression(10, 250, [], normal)),
  var10(strong, 250, 0.5),
  var10(weak, 250, 0.25),
  var10(weak, 1000, 0.25),
  {
    name: 'common driver, seen',
    series: normal => vectorAutoregression(3, 250, driver, normal),
    edges: pairs(driver),
  },
  {
    name: 'common driver, hidden',
    series: normal => vectorAutoregression(3, 250, driver, normal).slice(1),
    edges: [],
  },
  { name: 'trend and noise, 10 variables, 250 rows', series: trendAndNoise, edges: [], trends: true },
  { name: 'random walks, 10 variables, 250 rows', series: walks, edges: [], trends: true },
];

const settings: readonly Setting[] = [
  { name: 'chosen', maxLag: null, difference: 'none' },
  { name: '5', maxLag: 5, difference: 'none' },
];
const trending: readonly Setting[] = [
  ...settings,
  { name: '5, differenced (auto)', maxLag: 5, difference: 'auto' },
];

/**
 * What one way of deciding finds in one system: numbers of edges, and of networks with any that is not there.
 */
type Finds = { true: number; false: number; wrong: number; rate: number };
const ways = {
  smallest: ({ is_significant }: PairResult) => is_significant,
  adjusted: ({ adjusted_p_value }: PairResult) => (adjusted_p_value ?? 1) < LEVEL,
  q: ({ q_value }: PairResult) => (q_value ?? 1) <= LEVEL,
};
type Way = keyof typeof ways;

function tally(results: readonly PairResult[], edges: ReadonlySet<string>, way: Way, into: Finds): void {
  const found = results.filter(ways[way]);
  const right = found.filter(r => edges.has(`${r.cause} -> ${r.effect}`)).length;
  into.true += right;
  into.false += found.length - right;
  if (found.length > right) into.wrong++;
  into.rate += found.length > 0 ? (found.length - right) / found.length : 0;
}

function measured(
  { series, edges, noise = false }: System,
  { maxLag, difference }: Setting,
  seed: number,
): readonly string[] {
  const finds: Record<Way, Finds> = { smallest: none(), adjusted: none(), q: none() };
  const normal = normalOf(seed);
  const names = new Set(edges.map(([cause, effect]) => `${cause} -> ${effect}`));
  const runs = noise ? 4 * RUNS : RUNS;
  let pairs = 0;
  let lags = 0;
  for (let run = 0; run < runs; run++) {
    const variables = series(normal).map((values, v) => ({ key: `${v}`, values }));
    const ask = {
      windows: 5,
      signalCount: variables[0]!.values.length / 5,
      maxLag,
      significanceLevel: LEVEL,
      difference,
    };
    const { granger_results, metadata } = analyseCausality({ variables, settings: ask }).causality_results;
    pairs += Object.keys(granger_results).length;
    lags += metadata.max_lag_tested;
    for (const way of Object.keys(ways) as Way[])
      tally(Object.values(granger_results), names, way, finds[way]);
  }
  const there = edges.length * runs;
  const not = pairs - there;
  const share = (part: number, of: number) => (of > 0 ? percent(part / of) : '');
  return [
    (lags / runs).toFixed(1),
    share(finds.smallest.false, not),
    share(finds.adjusted.false, not),
    share(finds.q.wrong, runs),
    percent(finds.q.rate / runs),
    share(finds.smallest.true, there),
    share(finds.q.true, there),
  ];
}

const none = (): Finds => ({ true: 0, false: 0, wrong: 0, rate: 0 });
const percent = (share: number): string => `${(100 * share).toFixed(1)}%`;

const lines = systems.flatMap((system, i) =>
  (system.trends ? trending : settings).map(setting => [
    system.name,
    setting.name,
    ...measured(system, setting, 1000 + i),
  ]),
);
console.log(`${RUNS} systems of each kind, ${4 * RUNS} of noise; level ${LEVEL}`);
table(
  [
    'system',
    '`max_lag`',
    'tested',
    'false edges, smallest p',
    'false edges, adjusted p',
    'networks with a false edge by q',
    'false share of edges by q',
    'true edges, smallest p',
    'true edges, q',
  ],
  lines,
);
