import { cpSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import * as assert from 'uvu/assert';
import { suite } from '../suite.js';
import { accountOf, dataFolder, endAll, get, presage, record, serve, type Account } from './presage.js';

suite('a vault that is not the one of the log', test => {
  const [DATA_DIR, whole, older, other] = [dataFolder(), dataFolder(), dataFolder(), dataFolder()];
  let who: Account;
  test.after(endAll);

  const put = (from: string, ...names: string[]): void => {
    for (const name of names) cpSync(join(from, name), join(DATA_DIR, name));
  };
  const restored = (): void => {
    rmSync(DATA_DIR, { recursive: true });
    cpSync(whole, DATA_DIR, { recursive: true });
  };
  const refused = async (message: RegExp): Promise<void> => {
    for (const args of [['serve'], ['replay']]) {
      const { code, stdout, stderr } = await presage(args, { DATA_DIR });
      assert.is(code, 2, stdout + stderr);
      assert.match(stderr, message);
    }
    const looked = await presage(['doctor'], { DATA_DIR });
    assert.is(looked.code, 1);
    assert.match(looked.stdout, message);
  };

  test.before(async () => {
    const elsewhere = await serve({ DATA_DIR: other });
    await accountOf(elsewhere);
    await elsewhere.stop();
    const first = await serve({ DATA_DIR });
    who = await accountOf(first);
    await first.stop();
    cpSync(DATA_DIR, older, { recursive: true });
    const made = await presage(['bootstrap', '--email', 'b@example.org'], { DATA_DIR });
    assert.is(made.code, 0, made.stderr);
    const second = await serve({ DATA_DIR });
    await record(second.base, who, { key: 'a', text: 'a text' });
    await second.stop();
    cpSync(DATA_DIR, whole, { recursive: true });
  });

  const LOST = /vault\.db is not the vault of .*facts\.db.*usr_.*copy back.*presage vault forget --yes/;

  test('lost, also with its secret, is refused by name and not begun anew', async () => {
    rmSync(join(DATA_DIR, 'vault.db'));
    await refused(LOST);
    rmSync(join(DATA_DIR, 'secret.key'));
    await refused(LOST);
  });

  test('of another installation, also with its secret, is refused', async () => {
    restored();
    put(other, 'vault.db');
    await refused(LOST);
    put(other, 'secret.key');
    await refused(LOST);
  });

  test('older than the log is refused', async () => {
    restored();
    put(older, 'vault.db');
    await refused(/cannot be opened: .*vault\.db has no key of usr_.*older than the log.*newest copy back/);
  });

  test('the whole one is taken, also by a log without read models and state', async () => {
    restored();
    for (const name of ['models.db', 'state.db']) rmSync(join(DATA_DIR, name));
    const running = await serve({ DATA_DIR });
    const me = await (await get(running.base, who, '/v1/user/me')).text();
    assert.match(me, /operator@example\.org/);
    await running.stop();
    const { code, stdout } = await presage(['vault', 'forget', '--yes'], { DATA_DIR });
    assert.is(code, 0);
    assert.match(stdout, /^0 keys are given up, of \d+ facts.*\nThe vault has the key of everything/);
  });

  test('given up on purpose, all goes on without what it opened', async () => {
    rmSync(join(DATA_DIR, 'vault.db'));
    const asked = await presage(['vault', 'forget'], { DATA_DIR });
    assert.is(asked.code, 2);
    assert.match(asked.stderr, /given up for good.*--yes/);
    const { code, stdout, stderr } = await presage(['vault', 'forget', '--yes'], { DATA_DIR });
    assert.is(code, 0, stderr);
    assert.match(stdout, /^2 keys are given up, of \d+ facts looked at\./);
    assert.is((await presage(['replay'], { DATA_DIR })).code, 0);
    const running = await serve({ DATA_DIR });
    const me = await get(running.base, who, '/v1/user/me');
    assert.is(me.status, 200);
    assert.not.match(await me.text(), /operator@example\.org/);
    assert.match(await (await get(running.base, who, '/v1/event/streams')).text(), /"a"/);
    await running.stop();
    const verified = await presage(['replay', '--verify'], { DATA_DIR });
    assert.is(verified.code, 0, verified.stdout + verified.stderr);
  });
});
