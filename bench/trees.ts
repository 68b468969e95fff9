import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { seeded } from '../domain/maths/seeded.js';
import { DEFAULT_TREES, fitTrees, predictTrees } from '../domain/maths/trees/index.js';
import { median, quick, ratio, table, whole } from './common.js';

/**
 * Boosted trees for a quantile (50 trees of 31 ends, 30 features) against LightGBM with one thread on the
 * same table, each a process of its own: processor seconds of the fit with its binning, rows a second of
 * that, and the pinball loss on the rows themselves. Goal: a third of LightGBM's speed. `ROWS=1000000
 * PYTHON=.venv/bin/python node dist/bench/trees.js [--quick]`; 100,000 rows unless ROWS says otherwise,
 * --quick: 20,000. Python 3 with lightgbm is needed for the ratio.
 */
const ROWS = Number(process.env['ROWS'] ?? (quick ? 20_000 : 100_000));
const FEATURES = 30;
const TREES = 50;
const LEVEL = 0.9;
const ROUNDS = 3;
const PYTHON = process.env['PYTHON'] ?? 'python3';

type Said = { readonly version: string; readonly seconds: number; readonly loss: number };

/** A twentieth of the values is missing. */
function made(): { columns: Float64Array[]; target: Float64Array } {
  const random = seeded(1);
  const columns = Array.from({ length: FEATURES }, () =>
    Float64Array.from({ length: ROWS }, () => (random() < 0.05 ? NaN : random() + random() - 1)),
  );
  const at = (j: number, i: number): number => columns[j]![i]! || 0;
  const target = Float64Array.from(
    { length: ROWS },
    (_, i) => 3 * at(0, i) + Math.sin(6 * at(1, i)) + at(2, i) * at(3, i) + (1 + at(4, i)) * (random() - 0.5),
  );
  return { columns, target };
}

function own(): void {
  const { columns, target } = made();
  const options = { ...DEFAULT_TREES, trees: TREES, learningRate: 0.1 };
  const start = process.cpuUsage();
  const { model } = fitTrees(columns, target, { kind: 'quantile', level: LEVEL }, options, {
    random: seeded(1),
  });
  const { user, system } = process.cpuUsage(start);
  const predicted = predictTrees(model, columns);
  const loss = target.reduce((sum, y, i) => {
    const residual = y - predicted[i]!;
    return sum + Math.max(LEVEL * residual, (LEVEL - 1) * residual) / ROWS;
  }, 0);
  console.log([process.version, (user + system) / 1e6, loss].join(' '));
}

async function saidBy(
  command: string,
  args: readonly string[],
  input: readonly Float64Array[],
): Promise<Said | null> {
  const child = spawn(command, args, { stdio: ['pipe', 'pipe', 'inherit'] });
  let said = '';
  child.stdout.on('data', (chunk: Buffer) => {
    said += chunk.toString();
  });
  child.stdin.on('error', () => undefined);
  for (const column of input) child.stdin.write(new Uint8Array(column.buffer));
  child.stdin.end();
  const code = await new Promise<number | null>(resolve => {
    child.on('error', () => resolve(null));
    child.on('close', resolve);
  });
  if (code !== 0) return null;
  const [version = '', seconds, loss] = said.trim().split(' ');
  return { version, seconds: Number(seconds), loss: Number(loss) };
}

async function compared(): Promise<void> {
  const { columns, target } = made();
  const script = fileURLToPath(new URL('../../bench/trees.py', import.meta.url));
  const mine: Said[] = [];
  const others: Said[] = [];
  for (let round = 0; round < ROUNDS; round++) {
    mine.push((await saidBy(process.execPath, [fileURLToPath(import.meta.url), '--own'], []))!);
    const args = [ROWS, FEATURES, TREES, LEVEL].map(String);
    const other = await saidBy(PYTHON, [script, ...args], [...columns, target]);
    if (other) others.push(other);
  }
  const seconds = (all: readonly Said[]): number => median(all.map(each => each.seconds));
  const line = (name: string, all: readonly Said[]): string[] => [
    `${name} ${all[0]!.version}`,
    seconds(all).toFixed(2),
    whole((ROWS * TREES) / seconds(all)),
    all[0]!.loss.toFixed(5),
  ];
  console.log(
    `${whole(ROWS)} rows, ${FEATURES} features, ${TREES} trees; medians of ${ROUNDS} rounds, in turns`,
  );
  table(
    ['', 'processor seconds', 'rows x trees a second', 'loss'],
    [line('Node', mine), ...(others.length > 0 ? [line('LightGBM', others)] : [])],
  );
  if (others.length === 0) return console.log('LightGBM skipped: set PYTHON to a Python that has it');
  console.log(`speed: ${ratio(seconds(others) / seconds(mine))} of LightGBM's`);
}

if (process.argv.includes('--own')) own();
else await compared();
