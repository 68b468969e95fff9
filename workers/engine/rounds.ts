import type { Log } from '../../commands/ports/log.js';
import type { Running } from './follow.js';

/**
 * Does something again and again, `everyMs` after it was done; a failure is logged under `failed` and does
 * not end it. `stop` lets the round under way come to its end: `goesOn` tells it that it should be soon.
 */
export function rounds(
  everyMs: number,
  log: Log,
  failed: string,
  round: (goesOn: () => boolean) => Promise<void>,
): Running {
  let stopping = false;
  let wake = (): void => undefined;
  const pause = (): Promise<void> =>
    new Promise(resolve => {
      const timer = setTimeout(resolve, everyMs);
      wake = () => {
        clearTimeout(timer);
        resolve();
      };
    });
  const goesOn = (): boolean => !stopping;
  const run = async (): Promise<void> => {
    while (goesOn()) {
      await round(goesOn).catch((err: unknown) => log.error({ err }, failed));
      if (goesOn()) await pause();
    }
  };
  const ended = run();
  return {
    async stop() {
      stopping = true;
      wake();
      await ended;
    },
  };
}
