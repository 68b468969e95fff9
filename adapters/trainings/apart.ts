import { fork, type ChildProcess } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import {
  tookTooMuchMemory,
  tookTooMuchTime,
  WorkerLost,
  type Made,
  type TrainApart,
  type TrainingRun,
} from '../../commands/trainings/work.js';
import { Cancelled } from '../../domain/maths/compute.js';
import { SECOND } from '../../domain/time.js';
import { errorOf } from '../compute/messages.js';
import type { FromTrainer, ToTrainer } from './messages.js';

const WORKER = fileURLToPath(new URL('./worker.js', import.meta.url));
const KEPT_ERRORS = 8_192;

export type ApartSettings = {
  readonly memoryMb: number;
  readonly withinS: number;
  /** Where files of models lie. */
  readonly folder: string;
};

/** Each training in a process of its own, which is killed when nobody wants it, or it takes too much. */
export const trainApart =
  ({ memoryMb, withinS, folder }: ApartSettings): TrainApart =>
  async run => {
    if (run.signal.aborted) throw new Cancelled();
    // An empty environment: the work needs none, and ours holds secrets
    const child = fork(WORKER, [String(memoryMb), String(process.pid)], {
      env: {},
      execArgv: [`--max-old-space-size=${memoryMb}`],
      serialization: 'advanced',
      stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
    });
    const gone = new Promise<void>(resolve => child.once('close', () => resolve()));
    try {
      const done = ended(child, run, { memoryMb, withinS });
      // What ends it while its rows are sent is told below
      done.catch(() => undefined);
      await Promise.race([given(child, run, folder), done]);
      return await done;
    } finally {
      child.kill('SIGKILL');
      await gone;
    }
  };

/** Sends the table, one block at a time in memory. */
async function given(child: ChildProcess, run: TrainingRun, folder: string): Promise<void> {
  const { work, head, warnings, rows } = run;
  const say = (message: ToTrainer): Promise<void> =>
    new Promise((resolve, reject) => {
      child.send(message, error => (error ? reject(new WorkerLost(error.message)) : resolve()));
    });
  await say({ type: 'job', job: { work, head, warnings, folder } });
  for await (const { entity, times, columns } of rows) await say({ type: 'rows', entity, times, columns });
  await say({ type: 'begin' });
}

function ended(
  child: ChildProcess,
  { tell, signal }: TrainingRun,
  { memoryMb, withinS }: Pick<ApartSettings, 'memoryMb' | 'withinS'>,
): Promise<Made> {
  let errors = '';
  child.stderr!.on('data', (text: Buffer) => {
    errors = (errors + text.toString()).slice(-KEPT_ERRORS);
  });
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => reject(tookTooMuchTime(withinS)), withinS * SECOND);
    const cancel = (): void => reject(new Cancelled());
    signal.addEventListener('abort', cancel);
    child.on('message', (message: FromTrainer) => {
      if (message.type === 'told') tell(message.told);
      else if (message.type === 'done') resolve(message.made);
      else {
        const isFull = message.thrown.kind === 'memory';
        reject(isFull ? tookTooMuchMemory(memoryMb) : errorOf(message.thrown, memoryMb));
      }
    });
    child.on('error', reject);
    child.once('close', (code, killed) => {
      clearTimeout(timer);
      signal.removeEventListener('abort', cancel);
      // By its own watch
      const isFull = killed === 'SIGUSR2' || errors.includes('out of memory');
      const how = `its process ended (${killed ?? code})`;
      reject(isFull ? tookTooMuchMemory(memoryMb) : new WorkerLost(how, { cause: errors.trim() }));
    });
  });
}
