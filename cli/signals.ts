import { codes } from './exit.js';

/** Ctrl-C under `npm start` comes twice: from the terminal to all, and once more from npm. */
const SAME_WITHIN_MS = 500;

/** Aborted by the first SIGINT or SIGTERM; a second one ends the process at once. */
export function stopSignal(): AbortSignal {
  const controller = new AbortController();
  let first = 0;
  const stop = (): void => {
    if (controller.signal.aborted && performance.now() - first > SAME_WITHIN_MS)
      process.exit(codes.interrupted);
    if (controller.signal.aborted) return;
    first = performance.now();
    controller.abort();
  };
  process.on('SIGINT', stop);
  process.on('SIGTERM', stop);
  return controller.signal;
}

export const aborted = (signal: AbortSignal): Promise<void> =>
  new Promise(resolve => {
    if (signal.aborted) resolve();
    else signal.addEventListener('abort', () => resolve(), { once: true });
  });
