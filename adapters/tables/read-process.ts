import { constants, setPriority } from 'node:os';
import { Worker } from 'node:worker_threads';
import { Rejected } from '../../domain/rejected.js';
import { atCall } from '../at-call.js';
import { AHEAD, type Order, type Said } from './read-messages.js';
import { batchesOf, previewOf } from './read-table.js';

/** The heap, and what lies beside it, bytes. */
const MOST_MEMORY = 1_000_000_000;

/** The process that reads one file, and says what is in it no faster than it is asked. */
const room = atCall(AHEAD, (order: Order) => work(order).catch(error => say(faultOf(error))));

const say = (said: Said): Promise<void> =>
  new Promise(resolve => {
    process.send!(said, () => resolve());
  });

async function work(order: Order): Promise<void> {
  if ('preview' in order) return say({ preview: await previewOf(order.preview, order.asked) });
  for await (const batch of batchesOf(order.rows, order.mapping, order)) {
    await room();
    await say({ batch });
  }
  await say({ ended: true });
}

const faultOf = (error: unknown): Said =>
  error instanceof Rejected
    ? { refused: [error.kind, error.code, error.message] }
    : { failed: error instanceof Error ? (error.stack ?? error.message) : String(error) };

try {
  setPriority(constants.priority.PRIORITY_BELOW_NORMAL);
} catch {
  /* not allowed here: the work is done all the same */
}
new Worker(new URL('./memory-watch.js', import.meta.url), { workerData: { most: MOST_MEMORY } }).unref();
