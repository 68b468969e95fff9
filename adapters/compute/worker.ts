import { Worker } from 'node:worker_threads';
import type { TaskTable } from '../../domain/maths/compute.js';
import { stepBack } from './step-back.js';
import { thrownOf, type Order, type Reply } from './messages.js';

/**
 * The process that does the work: `worker.js <module of the tasks> <memory in MB> <process it works for>`.
 */
const [table = '', memoryMb = '', parent = ''] = process.argv.slice(2);
const limitBytes = Number(memoryMb) * 1_048_576;

/** One that grew is not used again: what the last task left behind must not count against the next. */
const isSpent = (): boolean => process.memoryUsage.rss() > limitBytes / 2;

async function replyTo({ task, input, asText }: Order, tasks: TaskTable): Promise<Reply> {
  try {
    const output = await tasks[task]!(input as never);
    return { output: asText ? JSON.stringify(output) : output, spent: isSpent() };
  } catch (error) {
    return { thrown: thrownOf(error), spent: isSpent() };
  }
}

function send(reply: Reply): void {
  try {
    process.send!(reply);
  } catch (error) {
    // an output that cannot be copied
    process.send!({ thrown: thrownOf(error), spent: reply.spent } satisfies Reply);
  }
}

// Whom we work for decides about the end, also when Ctrl-C reaches everybody in the terminal
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => undefined);
process.on('disconnect', () => process.exit());

new Worker(new URL('./watch.js', import.meta.url), { workerData: { limitBytes, parent: Number(parent) } });
stepBack(); // after the watch has begun, which keeps its priority
const { tasks } = (await import(table)) as { tasks: TaskTable };
process.on('message', async (order: Order) => send(await replyTo(order, tasks)));
