import { spawn } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { fileURLToPath } from 'node:url';

// Runs test files in processes, a few at a time, each file under a time limit; those that call the platform
// inside their own process are several to one. Says at the end which took longest, and closes with
// `N passed, N failed`. Words on the command line choose files whose path holds one of them. `--again`: what
// failed beside others is run once more alone, and what comes of that counts, except of what draws its cases
// at random, where each failure is a find.

/** What hangs hangs for ever; all else may take ten times as long on a busy machine as on an idle one. */
const LIMIT_MS = 900_000;
const SLOWEST = 5;
const TOGETHER = /^(acceptance|api|commands|domain|projections|realtime|workers)\//;
/** What a process has held in one file it may still hold in the next. */
const MOST_TOGETHER = 8;
const AT_RANDOM = /property|fuzz/;
/** What several.js prints after each file. */
const RAN = /^ran: .*\n/m;
/** What suite.js prints where a hook fails. */
const OUTSIDE = /: it failed outside of its tests/;
const root = fileURLToPath(new URL('.', import.meta.url));

type Result = {
  readonly file: string;
  readonly passed: number;
  readonly failed: number;
  readonly ms: number;
  readonly output: string;
};

const results: Result[] = [];
const words = process.argv.slice(2);
const waiting = grouped(chosen(words.filter(word => word !== '--again')));
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

/** What runs in one process; files of one folder alone are together. */
function grouped(files: readonly string[]): string[][] {
  const groups: string[][] = [];
  for (const file of files) {
    const last = groups.at(-1);
    const folder = TOGETHER.exec(file)?.[0];
    if (last && folder && last[0]!.startsWith(folder) && last.length < MOST_TOGETHER) last.push(file);
    else groups.push([file]);
  }
  return groups;
}

async function work(): Promise<void> {
  for (let files = waiting.shift(); files; files = waiting.shift()) {
    const done = await runFiles(files);
    results.push(...done);
    // One that did not come to its end kept those after it from running
    if (done.length < files.length) waiting.push(files.slice(done.length));
  }
}

/** Runs each file that failed once more, alone, and says so. */
async function again(): Promise<void> {
  for (const [i, { file, failed }] of results.entries()) {
    if (failed === 0 || AT_RANDOM.test(file)) continue;
    console.log(`${file} failed beside others; run again, alone`);
    results[i] = (await runFiles([file]))[0]!;
  }
}

/** The results of those files that ran, in their order; the last of them is where the process ended. */
function runFiles(files: readonly string[]): Promise<Result[]> {
  const done: Result[] = [];
  const child = spawn(process.execPath, ['--enable-source-maps', `${root}several.js`, ...files], {
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  let started = Date.now();
  let timer: NodeJS.Timeout;
  const limit = (): void => {
    clearTimeout(timer);
    timer = setTimeout(() => {
      output += `\nit took longer than ${LIMIT_MS} ms\n`;
      child.kill('SIGKILL');
    }, LIMIT_MS);
  };
  const add = (passed: number, failed: number): void => {
    const result = { file: files[done.length]!, passed, failed, ms: Date.now() - started, output };
    done.push(result);
    say(result);
    started = Date.now();
    output = '';
  };
  limit();
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (text: string) => {
      output += text;
      for (let ran = RAN.exec(output); ran; ran = RAN.exec(output)) {
        const rest = output.slice(ran.index + ran[0].length);
        output = output.slice(0, ran.index);
        const passed = counted('Passed', output);
        add(passed, Math.max(counted('Total', output) - passed, Number(OUTSIDE.test(output))));
        output = rest;
        limit();
      }
    });
  return new Promise(resolve => {
    child.on('close', (code, signal) => {
      clearTimeout(timer);
      const how = signal ?? code;
      if (done.length < files.length) {
        output += `\n${files[done.length]} ended (${how}) before all its tests had run\n`;
        const passed = counted('Passed', output);
        add(passed, Math.max(1, counted('Total', output) - passed));
      } else if (code !== 0 && done.every(({ failed }) => failed === 0)) {
        console.log(`${output}\nthe process of ${files.join(' ')} ended (${how}) after all had passed`);
        done.forEach((result, i) => (done[i] = { ...result, failed: 1 }));
      }
      resolve(done);
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
