import { cpSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import * as assert from 'uvu/assert';
import { suite } from '../suite.js';
import { accountOf, dataFolder, endAll, get, presage, record, serve, type Account } from './presage.js';

suite('a log that is not the one of the read models', test => {
  const DATA_DIR = dataFolder();
  const older = dataFolder();
  const other = dataFolder();
  const state = dataFolder();
  let who: Account;
  test.after(endAll);

  const event = (text: string) => ({ key: 'a', text, timestamp: '2026-01-01T00:00:00Z' });
  const logOf = (from: string): void => {
    for (const end of ['-wal', '-shm']) rmSync(join(DATA_DIR, `facts.db${end}`), { force: true });
    cpSync(join(from, 'facts.db'), join(DATA_DIR, 'facts.db'));
  };
  const put = (from: string, ...names: string[]): void => {
    for (const name of names) cpSync(join(from, name), join(DATA_DIR, name));
  };
  const refused = async (message: RegExp, ...args: string[]): Promise<void> => {
    const { code, stdout, stderr } = await presage(args.length > 0 ? args : ['serve'], { DATA_DIR });
    assert.is(code, 2, stdout + stderr);
    assert.match(stderr, message);
  };

  test.before(async () => {
    const first = await serve({ DATA_DIR });
    who = await accountOf(first);
    await first.stop();
    cpSync(DATA_DIR, older, { recursive: true });
    const second = await serve({ DATA_DIR });
    for (const text of ['one', 'two', 'three']) await record(second.base, who, event(text));
    await second.stop();
    cpSync(DATA_DIR, state, { recursive: true });
    const elsewhere = await serve({ DATA_DIR: other });
    const stranger = await accountOf(elsewhere);
    for (let i = 0; i < 9; i++) await record(elsewhere.base, stranger, event(`other ${i}`));
    await elsewhere.stop();
  });

  test('older than the read models, it is refused by name', async () => {
    logOf(older);
    await refused(/facts\.db ends at \d+, before .*models\.db .*presage replay/);
    const looked = await presage(['doctor'], { DATA_DIR });
    assert.is(looked.code, 1);
    assert.match(looked.stdout, /facts\.db ends at .*models\.db/);
  });

  test('of another installation, and longer, it is refused, too', async () => {
    logOf(other);
    await refused(/vault\.db is not the vault of .*facts\.db/);
    put(other, 'vault.db', 'secret.key');
    await refused(/facts\.db is another log than .*models\.db/);
    rmSync(join(DATA_DIR, 'models.db'));
    await refused(/facts\.db is another log than .*state\.db/);
    put(state, 'models.db', 'vault.db', 'secret.key');
  });

  test('lost, it is not begun anew, not by a replay either', async () => {
    rmSync(join(DATA_DIR, 'facts.db'));
    await refused(/facts\.db is empty.*put the log back/);
    await refused(/facts\.db is empty/, 'replay');
  });

  test('outgrown: an older copy that went on elsewhere is refused', async () => {
    const grown = await serve({ DATA_DIR: older });
    for (let i = 0; i < 9; i++) await record(grown.base, who, event(`later ${i}`));
    await grown.stop();
    logOf(older);
    await refused(/facts\.db is another log than/);
  });

  test('a replay builds everything anew from it, and all of it is shown', async () => {
    const { code, stderr } = await presage(['replay'], { DATA_DIR });
    assert.is(code, 0, stderr);
    assert.match(stderr, /moved aside, and built anew: .*models\.db/);
    const running = await serve({ DATA_DIR });
    const found = await (await get(running.base, who, '/v1/event/streams')).text();
    assert.match(found, /"a"/);
    await running.stop();
    const verified = await presage(['replay', '--verify'], { DATA_DIR });
    assert.is(verified.code, 0, verified.stdout + verified.stderr);
  });
});
