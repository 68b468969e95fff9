import { spawn } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { fileURLToPath } from 'node:url';

// Runs every test file in a process of its own, a few at a time, each under a time limit, and closes with `N
// passed, N failed`. Words on the command line choose files whose path holds one of them.

const LIMIT_MS = 240_000;
const root = fileURLToPath(new URL('.', import.meta.url));
const wanted = process.argv.slice(2);
const files = readdirSync(root, { recursive: true, encoding: 'utf8' })
  .filter(file => file.endsWith('.test.js'))
  .filter(file => wanted.length === 0 || wanted.some(word => file.includes(word)))
  .sort();

type Result = { passed: number; total: number; output: string; ok: boolean };

const runFile = (file: string) =>
  new Promise<Result>(resolve => {
    const child = spawn(process.execPath, ['--enable-source-maps', root + file], {
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    let output = '';
    for (const stream of [child.stdout, child.stderr])
      stream.on('data', (chunk: Buffer) => {
        output += chunk.toString();
      });
    const timer = setTimeout(() => {
      output += `\n${file} took longer than ${LIMIT_MS} ms\n`;
      child.kill('SIGKILL');
    }, LIMIT_MS);
    child.on('close', code => {
      clearTimeout(timer);
      const count = (name: string) => Number(new RegExp(`${name}:\\s+(\\d+)`).exec(output)?.[1] ?? 0);
      const total = count('Total');
      const passed = count('Passed');
      resolve({ passed, total, output, ok: code === 0 && passed === total });
    });
  });

let passed = 0;
let failed = 0;
const waiting = [...files];
const worker = async (): Promise<void> => {
  for (let file = waiting.shift(); file !== undefined; file = waiting.shift()) {
    const started = Date.now();
    const result = await runFile(file);
    passed += result.passed;
    failed += result.ok ? 0 : Math.max(1, result.total - result.passed);
    const skips = result.output.split('\n').filter(line => line.startsWith('skipped: '));
    console.log(
      `${result.ok ? 'ok    ' : 'FAILED'} ${file} (${result.passed} of ${result.total}, ${Date.now() - started} ms)`,
    );
    for (const line of skips) console.log(`       ${line}`);
    if (!result.ok) console.log(result.output);
  }
};
await Promise.all(Array.from({ length: Math.max(2, availableParallelism()) }, worker));
if (files.length === 0) {
  console.log('no test file matches');
  failed = 1;
}
console.log(`${passed} passed, ${failed} failed`);
process.exitCode = failed > 0 ? 1 : 0;
