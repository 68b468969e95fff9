import { spawn } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { fileURLToPath } from 'node:url';

// Runs every test file in a process of its own, a few at a time, each under a time limit. Says at the end
// which took longest, and closes with `N passed, N failed`. Words on the command line choose files whose path
// holds one of them. `--again`: what failed beside others is run once more alone, and what comes of that
// counts, except of what draws its cases at random, where each failure is a find.

/** What hangs hangs for ever; all else may take ten times as long on a busy machine as on an idle one. */
const LIMIT_MS = 900_000;
/** A file that has failed may leave things running; they are not waited for. */
const AFTER_FAILURE_MS = 5_000;
const SLOWEST = 5;
const root = fileURLToPath(new URL('.', import.meta.url));

type Result = {
  readonly file: string;
  readonly passed: number;
  readonly failed: number;
  readonly ms: number;
  readonly output: string;
};

const AT_RANDOM = /property|fuzz/;

const results: Result[] = [];
const words = process.argv.slice(2);
const waiting = chosen(words.filter(word => word !== '--again'));
if (waiting.length === 0) {
  console.log('no test file matches');
  process.exitCode = 1;
}
await Promise.all(Array.from({ length: Math.max(2, availableParallelism()) }, work));
if (words.includes('--again')) await again();
sayAll();

/** Test files whose path holds one of the words; without words all. */
function chosen(words: readonly string[]): string[] {
  return readdirSync(root, { recursive: true, encoding: 'utf8' })
    .filter(file => file.endsWith('.test.js'))
    .filter(file => words.length === 0 || words.some(word => file.includes(word)))
    .sort();
}

async function work(): Promise<void> {
  for (let file = waiting.shift(); file !== undefined; file = waiting.shift()) {
    const result = await runFile(file);
    results.push(result);
    say(result);
  }
}

/** Runs each file that failed once more, alone, and says so. */
async function again(): Promise<void> {
  for (const [i, { file, failed }] of results.entries()) {
    if (failed === 0 || AT_RANDOM.test(file)) continue;
    console.log(`${file} failed beside others; run again, alone`);
    results[i] = await runFile(file);
    say(results[i]);
  }
}

function runFile(file: string): Promise<Result> {
  const started = Date.now();
  const child = spawn(process.execPath, ['--enable-source-maps', root + file], {
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  let ending: NodeJS.Timeout | undefined;
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (chunk: Buffer) => {
      output += chunk.toString();
      // uvu's last line: all that was to be run has run
      if (!ending && output.includes('  Duration:') && counted('Passed', output) < counted('Total', output))
        ending = setTimeout(() => child.kill('SIGKILL'), AFTER_FAILURE_MS);
    });
  const timer = setTimeout(() => {
    output += `\n${file} took longer than ${LIMIT_MS} ms\n`;
    child.kill('SIGKILL');
  }, LIMIT_MS);
  return new Promise(resolve => {
    child.on('close', (code, signal) => {
      clearTimeout(timer);
      clearTimeout(ending);
      const isWhole = output.includes('  Duration:') || (code === 0 && output.includes('skipped: '));
      if (!isWhole) output += `\n${file} ended (${signal ?? code}) before all its tests had run\n`;
      const passed = counted('Passed', output);
      const missing = counted('Total', output) - passed;
      const failed = code === 0 && isWhole ? missing : Math.max(1, missing);
      resolve({ file, passed, failed, ms: Date.now() - started, output });
    });
  });
}

/** A number of the summary that uvu prints; 0 where there is none. */
function counted(name: 'Passed' | 'Total', output: string): number {
  return Number(new RegExp(`${name}:\\s+(\\d+)`).exec(output)?.[1] ?? 0);
}

function say({ file, passed, failed, ms, output }: Result): void {
  const word = failed === 0 ? 'ok    ' : 'FAILED';
  console.log(`${word} ${file} (${passed} of ${passed + failed}, ${ms} ms)`);
  for (const line of output.split('\n')) if (line.startsWith('skipped: ')) console.log(`       ${line}`);
  if (failed > 0) console.log(output);
}

function sayAll(): void {
  const sum = (of: 'passed' | 'failed'): number => results.reduce((total, each) => total + each[of], 0);
  if (results.length > SLOWEST) {
    const slowest = results.toSorted((a, b) => b.ms - a.ms).slice(0, SLOWEST);
    const named = slowest.map(({ file, ms }) => `${file} ${(ms / 1000).toFixed(1)} s`);
    console.log(`slowest: ${named.join(', ')}`);
  }
  const failed = sum('failed');
  console.log(`${sum('passed')} passed, ${Math.max(failed, results.length === 0 ? 1 : 0)} failed`);
  if (failed > 0) process.exitCode = 1;
}
