import { constants, setPriority } from 'node:os';
import { Worker } from 'node:worker_threads';
import { Rejected } from '../../domain/rejected.js';
import { AHEAD, type Order, type Said } from './read-messages.js';
import { batchesOf, previewOf } from './read-table.js';

/** The heap, and what lies beside it, bytes. */
const MOST_MEMORY = 1_000_000_000;

/** The process that reads one file, and says what is in it no faster than it is asked. */
let room = AHEAD;
let wake = (): void => undefined;

const say = (said: Said): Promise<void> =>
  new Promise(resolve => {
    process.send!(said, () => resolve());
  });

async function work(order: Exclude<Order, 'more'>): Promise<void> {
  if ('preview' in order) return say({ preview: await previewOf(order.preview, order.asked) });
  for await (const batch of batchesOf(order.rows, order.mapping, order.from)) {
    while (room === 0)
      await new Promise<void>(resolve => {
        wake = resolve;
      });
    room--;
    await say({ batch });
  }
  await say({ ended: true });
}

const faultOf = (error: unknown): Said =>
  error instanceof Rejected
    ? { refused: [error.kind, error.code, error.message] }
    : { failed: error instanceof Error ? (error.stack ?? error.message) : String(error) };

// Whom it works for decides about the end, also when Ctrl-C reaches everybody in the terminal
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => undefined);
process.on('disconnect', () => process.exit());
try {
  setPriority(constants.priority.PRIORITY_BELOW_NORMAL);
} catch {
  /* not allowed here: the work is done all the same */
}
new Worker(new URL('./memory-watch.js', import.meta.url), { workerData: { most: MOST_MEMORY } }).unref();
process.on('message', (order: Order) => {
  if (order !== 'more') {
    void work(order).catch(error => say(faultOf(error)));
    return;
  }
  room++;
  wake();
});
