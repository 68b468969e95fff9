import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { quick, thisBuild } from './common.js';

// Ledgers for long: the crash test of credits with many times the work and the deaths, on each store. It says
// how many deaths, facts and charges there were, and fails where a sum is wrong, something is charged twice
// or not at all, or a hold is left. `CREDITS_SEED` sees one again. `node dist/bench/ledger.js [--quick]`
const long = quick ? {} : { CREDITS_WORKS: '400', CREDITS_DEATHS: '250' };
const file = join(thisBuild, 'test/crash/credits.test.js');
const started = performance.now();
const child = spawn(process.execPath, ['--enable-source-maps', file], {
  stdio: 'inherit',
  env: { ...long, ...process.env },
});
const [code] = (await once(child, 'close')) as [number | null];
console.log(`${((performance.now() - started) / 1_000).toFixed(0)} s`);
process.exitCode = code ?? 1;
