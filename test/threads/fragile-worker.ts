import { appendFileSync, existsSync, readFileSync, writeFileSync } from 'node:fs';
import { threadId } from 'node:worker_threads';
import { serve } from '../../adapters/threads/serve.js';

/**
 * What a test may ask: come to an end once (remembered in a file) or always, throw, never come back, sleep
 * for some ms, or answer with the thread's number.
 */
export type Errand = {
  do: 'answer' | 'throw' | 'die' | 'die once' | 'hang' | 'sleep';
  mark?: string;
  log?: string;
  ms?: number;
};

await serve<Errand, number>(async data => {
  const { breakFile } = (data ?? {}) as { breakFile?: string };
  if (breakFile && existsSync(breakFile)) throw new Error(readFileSync(breakFile, 'utf8'));
  return {
    close: () => Promise.resolve(),
    async run({ do: errand, mark = '', log, ms = 0 }) {
      if (log) appendFileSync(log, `${errand}\n`);
      if (errand === 'throw') throw new Error('as asked');
      if (errand === 'die' || (errand === 'die once' && !existsSync(mark))) {
        if (errand === 'die once') writeFileSync(mark, '');
        process.exit(3);
      }
      if (errand === 'hang') for (;;);
      if (errand === 'sleep') Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms);
      return threadId;
    },
  };
});
