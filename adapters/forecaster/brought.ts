import { ModelFailed } from '../../commands/serving-pool.js';
import { Cancelled, Overloaded } from '../../domain/maths/compute.js';
import { Rejected } from '../../domain/rejected.js';
import { ComputePool } from '../compute/pool.js';
import { inPlainWords } from '../onnx-faults.js';
import type { tasks } from './brought-tasks.js';
import type { Workers } from './call.js';
import type { Portion, PortionDone } from './portion.js';

export type BroughtOptions = {
  readonly dir: string;
  readonly processes: number;
  /** Of one process, with what it is itself (about 100 MB). */
  readonly memoryMb: number;
  readonly withinMs: number;
  readonly maxWaiting: number;
  /** Of one workspace. */
  readonly maxWaitingInLane: number;
};

/**
 * Of a process's memory a quarter is for the files of models that it keeps open, which take about twice as
 * much there: those of one workspace must not fill the process that runs those of another.
 */
const KEPT_OF_MB = 1_048_576 / 4;

/**
 * Processes that run models which people brought: one that takes too long, or too much memory, or breaks the
 * runtime, ends its process and nothing else, and whoever asked is told so. Workspaces take turns.
 */
export function broughtWorkers({ dir, processes, memoryMb, withinMs, ...waiting }: BroughtOptions): Workers {
  const pool = new ComputePool<typeof tasks>({
    tasks: new URL('./brought-tasks.js', import.meta.url),
    ...{ workers: processes, memoryMb, withinMs, ...waiting },
  });
  const run = async ({ slug, sha256, lane, series, horizon }: Portion): Promise<PortionDone> => {
    const input = { dir, keptBytes: memoryMb * KEPT_OF_MB, slug, sha256, lane, series, horizon };
    const signal = new AbortController().signal;
    try {
      return await pool.run('portion', input, { lane, signal });
    } catch (error) {
      throw failed(error, memoryMb);
    }
  };
  return {
    run,
    async onEach(count, job) {
      const done = await Promise.allSettled(
        Array.from({ length: Math.min(count, processes) }, () => run(job)),
      );
      return done.filter(({ status }) => status === 'fulfilled').length;
    },
    close: () => pool.close(),
  };
}

/** What the model did wrong, as whoever asked it is told. */
function failed(error: unknown, memoryMb: number): unknown {
  if (error instanceof Cancelled || error instanceof Overloaded) return error;
  if (error instanceof Rejected && error.code === 'analysis_too_large')
    return new ModelFailed(`it takes more than ${memoryMb} MB`);
  if (error instanceof Rejected && error.code === 'analysis_too_long')
    return new ModelFailed('it takes too long');
  return error instanceof Rejected ? error : new ModelFailed(inPlainWords((error as Error).message), error);
}
