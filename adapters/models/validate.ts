import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import type { ModelCheck, ValidateModel } from '../../commands/model-files.js';
import type { Manifest } from '../forecaster/files.js';

/** What the process is told. */
export type Task = {
  readonly path: string;
  readonly manifest: Pick<Manifest, 'caps' | 'quantiles' | 'graph'>;
};

/** The largest open models take some seconds a pass on one thread. */
const WITHIN_MS = 300_000;
const script = fileURLToPath(new URL('./validate-process.js', import.meta.url));

/** A file that ends the process that opens it, or never answers, ends this one alone. */
export const validateModel: ValidateModel = (path, { maxContext, maxHorizon, quantiles, graph }) => {
  const caps = { context: maxContext, horizon: maxHorizon };
  const task: Task = { path, manifest: { caps, quantiles, graph } };
  const child = spawn(process.execPath, [script, JSON.stringify(task)], {
    stdio: ['ignore', 'pipe', 'pipe'],
    timeout: WITHIN_MS,
    killSignal: 'SIGKILL',
  });
  let text = '';
  let errors = '';
  child.stdout.on('data', (chunk: Buffer) => (text += chunk.toString()));
  child.stderr.on('data', (chunk: Buffer) => (errors += chunk.toString()));
  return new Promise((resolve, reject) => {
    child.on('error', reject);
    child.on('close', (code, signal) => {
      const checks = text
        .split('\n')
        .filter(line => line.endsWith('}'))
        .map(line => JSON.parse(line) as ModelCheck);
      resolve(code === 0 ? checks : [...checks, broken(String(signal ?? code), errors)]);
    });
  });
};

const broken = (end: string, errors: string): ModelCheck => ({
  name: 'runs',
  status: 'failed',
  message: `the process that ran it ended: ${end} ${errors.trim().split('\n')[0]!.slice(0, 300)}`,
  tookMs: 0,
});
