import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import * as assert from 'uvu/assert';
import { suite } from '../suite.js';
import { isAlive, until } from './pool.js';

/** Starts a process that uses a pool; answers it and its worker's number. */
async function start(task: string) {
  const leave = fileURLToPath(new URL('./leave.js', import.meta.url));
  const user = spawn(process.execPath, [leave, task], { stdio: ['ignore', 'pipe', 'inherit'] });
  const exited = once(user, 'exit');
  const [said] = (await once(user.stdout, 'data')) as [Buffer];
  return { user, exited, worker: Number(said.toString()) };
}

suite('compute pool: the end of its process', test => {
  test('idle workers do not keep it running, and end with it', async () => {
    const { exited, worker } = await start('idle');
    assert.equal(await exited, [0, null]);
    await until(() => !isAlive(worker));
  });

  test('killed without a word: a worker in the midst of its work ends, too', async () => {
    const { user, exited, worker } = await start('forever');
    assert.ok(isAlive(worker));
    user.kill('SIGKILL');
    await exited;
    await until(() => !isAlive(worker));
  });
});
