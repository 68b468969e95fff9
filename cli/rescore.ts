import { readConfig } from '../config.js';
import type { Rescored, Rescoring } from './jobs/rescore.js';
import { Failure } from './exit.js';
import { print } from './output.js';
import { progressView, shareOf } from './progress.js';
import { needData } from './place.js';
import { render } from './run.js';

/**
 * Gives all events scores of the scorer that is installed. Broken off, it goes on where it was when it is
 * asked again.
 */
export async function rescore(): Promise<void> {
  const config = readConfig(process.env);
  const view = progressView();
  needData(config);
  try {
    await render(
      { name: 'rescore', options: {}, config },
      {
        progress(so_far) {
          const { seen, of } = so_far as Rescoring;
          view.show({
            label: 'rescoring',
            share: shareOf(seen, of),
            count: seen,
            unit: 'events',
            timed: true,
          });
        },
        async result(found) {
          view.end();
          const { seen, rescored, failed, version, ms } = found as Rescored;
          const seconds = (Math.max(ms, 1) / 1000).toFixed(1);
          await print(`${rescored} of ${seen} events scored anew by ${version} in ${seconds} s\n`);
          if (failed > 0) throw new Failure(`${failed} events could not be scored; the log says why`);
        },
      },
    );
  } finally {
    view.end();
  }
}
