import { writeFileSync } from 'node:fs';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { isMainThread } from 'node:worker_threads';

// Loaded into a server before anything else (`--import`): at each SIGUSR2 it collects what is garbage and
// writes what is left, in bytes, to the file that BENCH_HEAP names.
if (isMainThread) {
  setFlagsFromString('--expose-gc');
  const collect = runInNewContext('gc') as () => void;
  process.on('SIGUSR2', () => {
    collect();
    collect();
    const { heapUsed, external, rss } = process.memoryUsage();
    writeFileSync(process.env['BENCH_HEAP']!, JSON.stringify({ used: heapUsed + external, rss }));
  });
}
