import { Worker } from 'node:worker_threads';
import type { TrainingSeries } from '../../domain/trainings/ports.js';
import { thrownOf } from '../compute/messages.js';
import { stepBack } from '../compute/step-back.js';
import type { FromTrainer, Job, ToTrainer } from './messages.js';
import { packed } from './packing.js';
import { trainBy } from './train.js';

/** The process that does one training: `worker.js <memory in MB> <process it works for>`. */
const [memoryMb = '', parent = ''] = process.argv.slice(2);

type Rows = Extract<ToTrainer, { type: 'rows' }>;
const send = (message: FromTrainer): void => void process.send!(message);
let job: Job | null = null;
const blocks: Rows[] = [];

/** Blocks of an entity come after each other. */
function seriesOf(): TrainingSeries[] {
  const byEntity = new Map<string | null, Rows[]>();
  for (const block of blocks.splice(0)) {
    const own = byEntity.get(block.entity);
    if (own) own.push(block);
    else byEntity.set(block.entity, [block]);
  }
  return [...byEntity].map(([entity, own]) => ({
    entity,
    times: joined(own.map(({ times }) => times)),
    columns: own[0]!.columns.map((_, i) => joined(own.map(({ columns }) => columns[i]!))),
  }));
}

function joined(parts: readonly Float64Array[]): Float64Array {
  const all = new Float64Array(parts.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const part of parts) {
    all.set(part, at);
    at += part.length;
  }
  return all;
}

async function train({ work, head, warnings, folder }: Job): Promise<void> {
  try {
    const table = { ...head, series: seriesOf() };
    const outcome = await trainBy(folder)(table, work, told => send({ type: 'told', told }));
    send({ type: 'done', made: await packed(outcome, warnings) });
  } catch (error) {
    send({ type: 'thrown', thrown: thrownOf(error) });
  }
}

// Whom we work for decides about the end, also when Ctrl-C reaches everybody in the terminal
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => undefined);
process.on('disconnect', () => process.exit());

new Worker(new URL('../compute/watch.js', import.meta.url), {
  workerData: { limitBytes: Number(memoryMb) * 1_048_576, parent: Number(parent), signal: 'SIGUSR2' },
});
stepBack(); // after the watch has begun, which keeps its priority
process.on('message', (message: ToTrainer) => {
  if (message.type === 'job') job = message.job;
  else if (message.type === 'rows') blocks.push(message);
  else void train(job!);
});
