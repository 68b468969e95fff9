import { writeSync } from 'node:fs';
import { workerData } from 'node:worker_threads';

/** Memory of the process that this thread belongs to, bytes. */
const { most } = workerData as { readonly most: number };
const EVERY_MS = 50;

// The heap has a bound of its own; what lies beside it, as the pages of columns, has none
setInterval(() => {
  if (process.memoryUsage.rss() <= most) return;
  writeSync(2, 'out of memory\n');
  process.kill(process.pid, 'SIGKILL');
}, EVERY_MS);
