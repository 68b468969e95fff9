import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { sha256 } from '../adapters/segments/hashing.js';
import { buildTable } from '../domain/segments/table.js';
import { median, quick, table, whole } from './common.js';
import { signals, sourcesOf } from './segments-data.js';
import { COLUMNS, features, recipe } from './segments-recipe.js';

/**
 * The table of a segment, 100 columns of hourly steps from five signals with two points an hour, against
 * pandas, which makes the same columns of the same points in one process: seconds, processor time, the most
 * memory that the process held. Goal: as quick as pandas. With `--text` both also write the table as CSV and
 * hash it. `ROWS=1000000 PYTHON=.venv/bin/python node dist/bench/segments.js [--quick] [--text]`; 100,000
 * rows unless ROWS says otherwise, --quick: 20,000. Python 3 with pandas is needed for the ratio.
 */
const ROWS = Number(process.env['ROWS'] ?? (quick ? 20_000 : 100_000));
const ROUNDS = 3;
const PYTHON = process.env['PYTHON'] ?? 'python3';
const withText = process.argv.includes('--text');

type Said = {
  readonly seconds: number;
  readonly cpu: number;
  readonly mb: number;
  readonly sum: number;
  readonly version: string;
};
function sumOf(column: Float64Array): number {
  let sum = 0;
  for (let i = 0; i < column.length; i++) if (!Number.isNaN(column[i]!)) sum += column[i]!;
  return sum;
}

/** In a process of its own, so that the most memory it held is that of a build. */
async function own(): Promise<void> {
  const known = sourcesOf(signals(ROWS));
  const hashing = withText ? await sha256() : null;
  let sum = 0;
  const start = performance.now();
  const cpu = process.cpuUsage();
  const sink = {
    async block({ columns }: { readonly columns: readonly Float64Array[] }) {
      for (const column of columns) sum += sumOf(column);
    },
  };
  await buildTable(recipe, known, sink, { hashing });
  const seconds = (performance.now() - start) / 1_000;
  const used = process.cpuUsage(cpu);
  const mb = process.resourceUsage().maxRSS / 1_024;
  console.log([process.version, seconds, (used.user + used.system) / 1e6, mb, sum].join(' '));
}

async function saidBy(
  command: string,
  args: readonly string[],
  input: readonly Uint8Array[],
): Promise<Said | null> {
  const env = { ...process.env, OMP_NUM_THREADS: '1', OPENBLAS_NUM_THREADS: '1' };
  const child = spawn(command, args, { stdio: ['pipe', 'pipe', 'inherit'], env });
  let said = '';
  child.stdout.on('data', (chunk: Buffer) => {
    said += chunk.toString();
  });
  child.stdin.on('error', () => undefined);
  for (const chunk of input) child.stdin.write(chunk);
  child.stdin.end();
  const code = await new Promise<number | null>(resolve => {
    child.on('error', () => resolve(null));
    child.on('close', resolve);
  });
  if (code !== 0) return null;
  const [version = '', ...numbers] = said.trim().split(' ');
  const [seconds, cpu, mb, sum] = numbers.map(Number);
  return { version, seconds: seconds!, cpu: cpu!, mb: mb!, sum: sum! };
}

const ours = (): Promise<Said | null> =>
  saidBy(process.execPath, [fileURLToPath(import.meta.url), '--own', ...(withText ? ['--text'] : [])], []);

async function theirs(): Promise<Said | null> {
  const known = [...signals(ROWS).values()];
  const counts = known.map(({ times }) => times.length);
  const head = Buffer.from(`${JSON.stringify({ names: COLUMNS, counts, features, text: withText })}\n`);
  const bytes = (column: Float64Array): Uint8Array => new Uint8Array(column.buffer);
  const script = fileURLToPath(new URL('../../bench/segments.py', import.meta.url));
  return saidBy(
    PYTHON,
    [script],
    [head, ...known.flatMap(({ times, values }) => [bytes(times), bytes(values)])],
  );
}

async function compared(): Promise<void> {
  const mine: Said[] = [];
  const pandas: Said[] = [];
  for (let round = 0; round < ROUNDS; round++) {
    mine.push((await ours())!);
    const peer = await theirs();
    if (peer) pandas.push(peer);
  }
  const of = (all: readonly Said[], part: 'seconds' | 'cpu' | 'mb'): number =>
    median(all.map(said => said[part]));
  const line = (name: string, all: readonly Said[]): string[] => [
    name,
    of(all, 'seconds').toFixed(2),
    of(all, 'cpu').toFixed(2),
    whole(of(all, 'mb')),
  ];
  const what = withText ? 'with text and hash' : 'without text';
  console.log(
    `${features.length} features, ${whole(ROWS)} rows, ${what}; medians of ${ROUNDS} rounds, in turns`,
  );
  table(
    ['', 'seconds', 'processor seconds', 'most memory, MB'],
    [
      line(`Node ${process.version}`, mine),
      ...(pandas.length > 0 ? [line(`pandas ${pandas[0]!.version}`, pandas)] : []),
    ],
  );
  if (pandas.length === 0) return console.log('pandas skipped: set PYTHON to a Python that has it');
  const ratio = (part: 'seconds' | 'cpu' | 'mb'): string => (of(mine, part) / of(pandas, part)).toFixed(2);
  console.log(
    `ours / pandas: seconds ${ratio('seconds')}, processor ${ratio('cpu')}, memory ${ratio('mb')}; goal 1.0`,
  );
  console.log(`sums of all values differ by ${Math.abs(mine[0]!.sum / pandas[0]!.sum - 1).toExponential(1)}`);
}

await (process.argv.includes('--own') ? own() : compared());
