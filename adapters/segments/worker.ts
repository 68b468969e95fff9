import { Worker } from 'node:worker_threads';
import { stepBack } from '../compute/step-back.js';
import { thrownOf } from '../compute/messages.js';
import { publicHolidays } from './holidays.js';
import { work, type Job } from './jobs.js';
import type { ToWorker } from './messages.js';
import { answered, ask, askedSources, send } from './worker-asks.js';

/** The process that does one piece of work: `worker.js <memory in MB> <process it works for>`. */
const [memoryMb = '', parent = ''] = process.argv.slice(2);
const limitBytes = Number(memoryMb) * 1_048_576;

const shelf = {
  put: (bytes: Uint8Array) => ask('put', bytes),
  get: (sha256: string) => ask('get', sha256),
  has: (sha256: string) => ask('has', sha256),
};

async function begin(job: Job): Promise<void> {
  try {
    send({ type: 'done', result: await work(job, askedSources(job.asOf, publicHolidays), shelf) });
  } catch (error) {
    send({ type: 'thrown', thrown: thrownOf(error) });
  }
}

// Whom we work for decides about the end, also when Ctrl-C reaches everybody in the terminal
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => undefined);
process.on('disconnect', () => process.exit());

new Worker(new URL('../compute/watch.js', import.meta.url), {
  workerData: { limitBytes, parent: Number(parent) },
});
stepBack(); // after the watch has begun, which keeps its priority
process.on('message', (message: ToWorker) => {
  if (message.type === 'answer') answered(message);
  else void begin(message.job as Job);
});
