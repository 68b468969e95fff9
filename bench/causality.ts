import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { analyseCausality } from '../domain/maths/causality/analysis.js';
import type { CausalityVariable } from '../domain/maths/causality/input.js';
import { randomOf } from '../test/random.js';
import { median, quick, table, whole } from './common.js';

/**
 * The whole causality analysis (all pairs on all rows, and again in each of 5 windows, lags 1 to 5,
 * stationarity, network) of 50 variables, 2,450 pairs, against `grangercausalitytests` of statsmodels on the
 * same pairs and rows alone, in one Python process. Goal with windows of 50 points: at least 50 times as
 * quick. `PYTHON=.venv/bin/python node dist/bench/causality.js [--quick]`; --quick: 12 variables. Python 3
 * with statsmodels is needed for the ratio, else only our own seconds are said.
 */
const VARIABLES = quick ? 12 : 50;
const WINDOWS = 5;
const MAX_LAG = 5;
const ROUNDS = quick ? 3 : 5;
const GOAL = 50;
const PYTHON = process.env['PYTHON'] ?? 'python3';

type Said = {
  readonly version: string;
  readonly seconds: number;
  readonly cpu: number;
  readonly f: number;
  readonly p: number;
};

/** Random numbers around their own last value and that of the variable before. */
function variablesOf(rows: number): CausalityVariable[] {
  const random = randomOf(rows);
  const noise = () => random.next() + random.next() + random.next() - 1.5;
  const series = Array.from({ length: VARIABLES }, () => new Float64Array(rows));
  for (let t = 0; t < rows; t++)
    for (const [v, x] of series.entries())
      x[t] = 0.5 * (x[t - 1] ?? 0) + 0.2 * (series[v - 1]?.[t - 2] ?? 0) + noise();
  return series.map((values, v) => ({ key: `v${v}`, values }));
}

const settings = (signalCount: number) =>
  ({ windows: WINDOWS, signalCount, maxLag: MAX_LAG, significanceLevel: 0.05, difference: 'none' }) as const;

function ours(variables: readonly CausalityVariable[], signalCount: number): Said {
  const start = performance.now();
  const cpu = process.cpuUsage();
  const { granger_results } = analyseCausality({
    variables,
    settings: settings(signalCount),
  }).causality_results;
  const seconds = (performance.now() - start) / 1000;
  const used = process.cpuUsage(cpu);
  const results = Object.values(granger_results);
  const sum = (values: readonly (readonly number[])[]) => values.flat().reduce((total, x) => total + x, 0);
  return {
    version: '',
    seconds,
    cpu: (used.user + used.system) / 1e6,
    f: sum(results.map(r => r.f_statistics)),
    p: sum(results.map(r => r.p_values)),
  };
}

/** null where Python or statsmodels is missing. */
function theirs(variables: readonly CausalityVariable[]): Promise<Said | null> {
  const script = fileURLToPath(new URL('../../bench/causality.py', import.meta.url));
  const env = { ...process.env, OMP_NUM_THREADS: '1', OPENBLAS_NUM_THREADS: '1' };
  const python = spawn(PYTHON, [script], { stdio: ['pipe', 'pipe', 'pipe'], env });
  let said = '';
  let complaint = '';
  python.stdout.on('data', (chunk: Buffer) => {
    said += chunk.toString();
  });
  python.stderr.on('data', (chunk: Buffer) => {
    complaint += chunk.toString();
  });
  python.stdin.on('error', () => {
    /* it has ended; its exit says why */
  });
  for (const block of [
    Int32Array.of(VARIABLES, variables[0]!.values.length, MAX_LAG),
    ...variables.map(v => v.values),
  ])
    python.stdin.write(new Uint8Array(block.buffer));
  python.stdin.end();
  return new Promise(resolve => {
    const missing = (why: string): void => {
      console.log(`statsmodels skipped: ${why}`);
      resolve(null);
    };
    python.on('error', error => missing(error.message));
    python.on('close', code => {
      const [version = '', seconds, cpu, f, p] = said.trim().split(' ');
      if (code === 0)
        resolve({ version, seconds: Number(seconds), cpu: Number(cpu), f: Number(f), p: Number(p) });
      else if (code !== null && code >= 0) missing(complaint.trim().split('\n').at(-1) ?? `exit ${code}`);
    });
  });
}

const pairs = VARIABLES * (VARIABLES - 1);
const lines: string[][] = [];
const times = (theirs: number, ours: number) =>
  `${theirs.toFixed(1)} / ${ours.toFixed(3)} = ${whole(theirs / ours)}`;
const off = (a: number, b: number) => Math.abs(a / b - 1).toExponential(0);
for (const points of [50, 1000]) {
  const variables = variablesOf(WINDOWS * points);
  const round = () => ours(variables, points);
  round();
  const before = Array.from({ length: ROUNDS }, round);
  const peer = await theirs(variables);
  const all = [...before, ...before.map(round)];
  const seconds = median(all.map(x => x.seconds));
  const cpu = median(all.map(x => x.cpu));
  lines.push([
    `${VARIABLES} x ${WINDOWS} x ${whole(points)}`,
    ...(peer
      ? [
          times(peer.seconds, seconds),
          times(peer.cpu, cpu),
          `${off(all[0]!.f, peer.f)}, ${off(all[0]!.p, peer.p)}`,
        ]
      : [seconds.toFixed(3), cpu.toFixed(3), 'skipped']),
  ]);
  if (peer) console.log(`${whole(points)} points a window: statsmodels ${peer.version}`);
}
console.log(`${whole(pairs)} pairs, lags 1 to ${MAX_LAG}; goal: ${GOAL} times`);
console.log(`ours the median of ${2 * ROUNDS} rounds, half before and half after theirs`);
table(
  [
    'variables x windows x points',
    'seconds, statsmodels / ours',
    'processor seconds',
    'sums of F and of p differ by',
  ],
  lines,
);
