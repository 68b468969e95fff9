import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

/**
 * Lets a Python script of this folder write series into a folder; what lies there is not made again. When
 * that cannot be done, a word on what to install, and the end of the process if the folder has no series yet.
 */
export function prepare(script: string, folder: string, given: readonly string[] = []): void {
  const python = process.env['PYTHON'] ?? 'python3';
  const file = fileURLToPath(new URL(`../../bench/${script}`, import.meta.url));
  const { status, error, stderr } = spawnSync(python, [file, folder, ...given], { encoding: 'utf8' });
  if (status === 0) return;
  console.log(`${python} bench/${script}: ${error?.message ?? stderr.trim().split('\n').at(-1)}`);
  console.log('python3 -m venv .venv && .venv/bin/pip install -r bench/forecast-packages.txt');
  console.log('then set PYTHON=.venv/bin/python');
  if (!existsSync(join(folder, 'sources.json'))) process.exit(1);
  console.log(`goes on with the series in ${folder}`);
}
