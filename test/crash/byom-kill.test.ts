import { setTimeout as pause } from 'node:timers/promises';
import * as assert from 'uvu/assert';
import { BYOM, broughtBy } from '../api/byom-world.js';
import { operate } from '../cli/operate.js';
import { accountOf, dataFolder, endAll, serve, type Listening } from '../cli/presage.js';
import type { Json } from '../json.js';
import { send, until } from '../platform.js';
import { randomOf, seedFrom } from '../random.js';
import { suite } from '../suite.js';

suite('the process killed while it validates a model', test => {
  test.after(endAll);

  test('it begins again by itself, and ends once', async () => {
    const random = randomOf(seedFrom('BYOM_SEED'));
    const env = { DATA_DIR: dataFolder(), LOG_LEVEL: 'warn' };
    let running: Listening = await serve(env);
    const who = await accountOf(running);
    const login = { token: who.token, workspaceId: who.workspace };
    const id = await broughtBy(running.base, login);
    const asked = await send(running.base, 'POST', `${BYOM}/${id}/validate`, login, { body: {} });
    assert.is(asked.status, 202, asked.text);
    for (let kill = 0; kill < 2; kill++) {
      await pause(random.below(700));
      const { stderr } = await running.stop('SIGKILL');
      assert.not.match(stderr, /"level":"(error|fatal)"/);
      running = await serve(env);
    }
    const report: Json = await until(async () => {
      const { json } = await send(running.base, 'GET', asked.json.data.poll_url, login);
      return json.data.status !== 'validating' && json.data;
    }, 'its end');
    assert.is(report.status, 'validated', JSON.stringify(report.checks));
    const { json, status } = await send(running.base, 'POST', `${BYOM}/${id}/register`, login, { body: {} });
    assert.is(status, 201, JSON.stringify(json));
    for (const output of await operate(env.DATA_DIR, 'replay', { projection: null, verify: true }))
      assert.ok(output.kind === 'progress' || output.kind === 'result', JSON.stringify(output));
  });
});
