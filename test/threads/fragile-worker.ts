import { appendFileSync, existsSync, readFileSync, writeFileSync } from 'node:fs';
import { threadId } from 'node:worker_threads';
import { serve } from '../../adapters/threads/serve.js';

/**
 * What a test may ask: come to an end once (remembered in a file) or always, throw, or answer with the
 * thread's number.
 */
export type Errand = { do: 'answer' | 'throw' | 'die' | 'die once'; mark?: string; log?: string };

await serve<Errand, number>(async data => {
  const { breakFile } = (data ?? {}) as { breakFile?: string };
  if (breakFile && existsSync(breakFile)) throw new Error(readFileSync(breakFile, 'utf8'));
  return {
    close: () => Promise.resolve(),
    async run({ do: errand, mark = '', log }) {
      if (log) appendFileSync(log, `${errand}\n`);
      if (errand === 'throw') throw new Error('as asked');
      if (errand === 'die' || (errand === 'die once' && !existsSync(mark))) {
        if (errand === 'die once') writeFileSync(mark, '');
        process.exit(3);
      }
      return threadId;
    },
  };
});
