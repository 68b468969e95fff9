import { rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { isMainThread } from 'node:worker_threads';

/**
 * Loaded into a server before its own code (`--import`), so that any build can be watched the same way: tells
 * whoever connects to the socket LOOP_WATCH how long the event loop stood still since the last time, in ms.
 */
export type Stalls = { readonly longest: number; readonly p99: number };

const socket = process.env['LOOP_WATCH'];
if (socket !== undefined && isMainThread) {
  // Processes that this one starts are not meant
  delete process.env['LOOP_WATCH'];
  const delay = monitorEventLoopDelay({ resolution: 1 });
  delay.enable();
  rmSync(socket, { force: true });
  const server = createServer(asking => {
    const stalls: Stalls = { longest: delay.max / 1e6, p99: delay.percentile(99) / 1e6 };
    delay.reset();
    asking.on('error', () => undefined);
    asking.end(JSON.stringify(stalls));
  });
  server.listen(socket);
  server.unref();
}
