import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

// Loaded into the process that is watched (`node --import`): at SIGUSR2 it collects its garbage and says what
// is left.
setFlagsFromString('--expose-gc');
const collect = runInNewContext('gc') as () => void;

process.on('SIGUSR2', () => {
  // What is freed only after the callbacks of a first collection is gone after the second
  collect();
  setTimeout(() => {
    collect();
    const { heapUsed, external } = process.memoryUsage();
    process.stdout.write(`heap=${heapUsed + external}\n`);
  }, 200);
});
