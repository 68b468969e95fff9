import { by, openPool } from './pool.js';

/**
 * A process of its own that uses a pool and does not close it: `leave.js <task>`; says the number of the
 * worker's process.
 */
const pool = openPool();
console.log(await pool.run('process', undefined, by('a')));
if (process.argv[2] === 'forever') await pool.run('forever', undefined, by('a'));
