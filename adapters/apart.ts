import { spawn } from 'node:child_process';

/** What a script said: its lines of JSON, how it ended (a code or a signal), and the first line of errors. */
export type Ran<T> = { readonly lines: readonly T[]; readonly end: string; readonly said: string };

/**
 * Runs a script of Node's in a process of its own: what ends that process, or never answers, ends it alone.
 * `withinMs`: then it is killed; without, it may take as long as it likes.
 */
export function runApart<T>(script: string, args: readonly string[], withinMs?: number): Promise<Ran<T>> {
  const child = spawn(process.execPath, [script, ...args], {
    stdio: ['ignore', 'pipe', 'pipe'],
    timeout: withinMs,
    killSignal: 'SIGKILL',
  });
  let text = '';
  let errors = '';
  child.stdout.on('data', (chunk: Buffer) => (text += chunk.toString()));
  child.stderr.on('data', (chunk: Buffer) => (errors += chunk.toString()));
  return new Promise((resolve, reject) => {
    child.on('error', reject);
    child.on('close', (code, signal) => {
      const lines = text.split('\n').filter(line => line.endsWith('}'));
      const said = errors.trim().split('\n')[0]!.slice(0, 200);
      resolve({ lines: lines.map(line => JSON.parse(line) as T), end: String(signal ?? code), said });
    });
  });
}
