import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const adapters = (file: string): string =>
  new URL(`../../adapters/embedded/${file}.js`, import.meta.url).href;

/** A process of its own that runs `code`, in which `import(adapter('lock'))` loads an embedded adapter. */
export const child = (code: string): ChildProcess & { lines: string[] } => {
  const bases = JSON.stringify(adapters('FILE'));
  const script = `const adapter = file => ${bases}.replace('FILE', file);\n${code}`;
  const started = spawn(process.execPath, ['--input-type=module', '-e', script], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const lines: string[] = [];
  let rest = '';
  started.stdout.on('data', (chunk: Buffer) => {
    const parts = (rest + chunk.toString()).split('\n');
    rest = parts.pop()!;
    lines.push(...parts);
  });
  return Object.assign(started, { lines });
};

/** `kill -9`, and waits until the process is gone. */
export const kill = async (process: ChildProcess): Promise<void> => {
  const gone = process.exitCode !== null || process.signalCode !== null ? null : once(process, 'exit');
  process.kill('SIGKILL');
  await gone;
};

/** Runs `work` with a new folder, which is removed afterwards. */
export const withFolder = async (work: (folder: string) => Promise<void>): Promise<void> => {
  const folder = mkdtempSync(join(tmpdir(), 'presage-'));
  try {
    await work(folder);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
};
