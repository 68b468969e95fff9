import { readFileSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { createHistogram, monitorEventLoopDelay } from 'node:perf_hooks';
import { isMainThread } from 'node:worker_threads';

/**
 * Loaded into a server before its own code (`--import`), so that any build can be watched the same way: tells
 * whoever connects to the socket LOOP_WATCH how long the event loop stood still since the last time. In ms;
 * `work`: in processor time of the main thread, which says the same on a machine that has other work too.
 */
export type Stalls = {
  readonly longest: number;
  readonly p99: number;
  readonly work: { readonly longest: number; readonly p99: number };
};

const EVERY_MS = 2;
const socket = process.env['LOOP_WATCH'];

if (socket !== undefined && isMainThread) {
  // Processes that this one starts are not meant
  delete process.env['LOOP_WATCH'];
  const delay = monitorEventLoopDelay({ resolution: 1 });
  delay.enable();
  const work = createHistogram();
  let before = worked();
  setInterval(() => {
    const now = worked();
    work.record(Math.max(1, now - before));
    before = now;
  }, EVERY_MS).unref();
  rmSync(socket, { force: true });
  const server = createServer(asking => {
    const stalls: Stalls = { ...inMs(delay), work: inMs(work) };
    delay.reset();
    work.reset();
    asking.on('error', () => undefined);
    asking.end(JSON.stringify(stalls));
  });
  server.listen(socket);
  server.unref();
}

/** Processor time of the main thread so far, in ns. */
function worked(): number {
  return Number(readFileSync(`/proc/self/task/${process.pid}/schedstat`, 'utf8').split(' ')[0]);
}

function inMs(histogram: { readonly max: number; percentile: (share: number) => number }) {
  return { longest: histogram.max / 1e6, p99: histogram.percentile(99) / 1e6 };
}
