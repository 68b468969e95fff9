import { workerData } from 'node:worker_threads';

/**
 * Beside the work, in a thread of its own, since the work leaves its thread no time to look up: ends this
 * process when it has grown too large, or when the one it works for has gone without a word.
 */
const {
  limitBytes,
  parent,
  signal = 'SIGKILL',
} = workerData as {
  limitBytes: number;
  parent: number;
  /** Tells the one it works for why it ended. */
  signal?: 'SIGKILL' | 'SIGUSR2';
};
const EVERY_MS = 10;

setInterval(() => {
  if (process.memoryUsage.rss() > limitBytes || process.ppid !== parent) process.kill(process.pid, signal);
}, EVERY_MS);
