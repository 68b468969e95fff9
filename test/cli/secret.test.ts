import { randomBytes } from 'node:crypto';
import { copyFileSync, existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import * as assert from 'uvu/assert';
import { suite } from '../suite.js';
import { accountOf, dataFolder, endAll, get, presage, serve } from './presage.js';

suite('the secret of the vault', test => {
  const DATA_DIR = dataFolder();
  const file = join(DATA_DIR, 'secret.key');
  const copy = `${DATA_DIR}.copy`;
  const other = randomBytes(32).toString('base64');
  test.after(() => {
    endAll();
    rmSync(copy, { force: true });
  });

  const refused = async (env: Readonly<Record<string, string>>, message: RegExp): Promise<void> => {
    const { code, stdout, stderr } = await presage(['serve'], { DATA_DIR, ...env });
    assert.is(code, 2, stdout + stderr);
    assert.match(stderr, message);
    assert.is(stderr.trim().split('\n').length, 1);
  };

  test('a first start makes one', async () => {
    const running = await serve({ DATA_DIR });
    await accountOf(running);
    await running.stop();
    copyFileSync(file, copy);
  });

  test('lost, it is not made anew: the start is refused and says what to put back', async () => {
    rmSync(file);
    await refused({}, /secret\.key is missing.*put its copy back, or set SECRET_KEY/);
    assert.not.ok(existsSync(file));
  });

  test('damaged, or of another installation, it is refused by name', async () => {
    writeFileSync(file, readFileSync(copy).subarray(0, 20));
    await refused({}, /secret\.key is damaged/);
    writeFileSync(file, `${other}\n`);
    await refused({}, /secret\.key is not the secret of this vault/);
    await refused({ SECRET_KEY: other }, /SECRET_KEY is not the secret of this vault/);
  });

  test('put back, or given as SECRET_KEY, also behind a newer one, it opens the vault again', async () => {
    const right = readFileSync(copy, 'utf8').trim();
    rmSync(file);
    for (const SECRET_KEY of [right, `${other},${right}`]) {
      const running = await serve({ DATA_DIR, SECRET_KEY });
      await running.stop();
    }
    copyFileSync(copy, file);
    const running = await serve({ DATA_DIR });
    const made = await presage(['bootstrap', '--email', 'b@example.org', '--json'], { DATA_DIR });
    const { token, workspace_id: workspace } = JSON.parse(made.stdout) as Record<string, string>;
    assert.is((await get(running.base, { token: token!, workspace: workspace! }, '/v1/user/me')).status, 200);
    await running.stop();
  });
});
