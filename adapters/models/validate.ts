import { fileURLToPath } from 'node:url';
import type { ModelCheck, ValidateModel } from '../../commands/model-files.js';
import { runApart } from '../apart.js';
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
export const validateModel: ValidateModel = async (path, { maxContext, maxHorizon, quantiles, graph }) => {
  const caps = { context: maxContext, horizon: maxHorizon };
  const task: Task = { path, manifest: { caps, quantiles, graph } };
  const { lines, end, said } = await runApart<ModelCheck>(script, [JSON.stringify(task)], WITHIN_MS);
  return end === '0' ? lines : [...lines, broken(end, said)];
};

const broken = (end: string, said: string): ModelCheck => ({
  name: 'runs',
  status: 'failed',
  message: `the process that ran it ended: ${end} ${said}`,
  tookMs: 0,
});
