import { cpSync, existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import Libsql from 'libsql';
import * as assert from 'uvu/assert';
import { suite } from '../suite.js';
import { accountOf, dataFolder, endAll, get, presage, record, serve, type Account } from './presage.js';

const DERIVED = ['models.db', 'state.db'];

suite('damaged files of a data folder', test => {
  const DATA_DIR = dataFolder();
  const whole = dataFolder();
  let who: Account;
  test.after(endAll);
  test.before(async () => {
    const running = await serve({ DATA_DIR });
    who = await accountOf(running);
    for (let i = 0; i < 20; i++)
      await record(running.base, who, { key: `s${i}`, text: `text ${i}`, timestamp: '2026-01-01T00:00:00Z' });
    await running.stop();
    cpSync(DATA_DIR, whole, { recursive: true });
  });

  const restored = (): void => {
    rmSync(DATA_DIR, { recursive: true });
    cpSync(whole, DATA_DIR, { recursive: true });
  };
  /** Damages the pages behind the header, which hold the tables. */
  const overwrite = (name: string): void => {
    const file = join(DATA_DIR, name);
    const bytes = readFileSync(file);
    for (let at = 8192; at < bytes.length; at += 8192) bytes.fill(0x5a, at, at + 300);
    writeFileSync(file, bytes);
  };

  test('a text that is changed within the log is refused: its sum is another', async () => {
    restored();
    const db = new Libsql(join(DATA_DIR, 'facts.db'));
    db.exec(`UPDATE facts SET data = replace(data, '"text 7"', '"text 8"')`);
    db.close();
    const { code, stderr } = await presage(['bootstrap'], { DATA_DIR });
    assert.is(code, 2, stderr);
    assert.match(
      stderr,
      /facts\.db is damaged \(the facts at the positions \d+ to \d+ are not as they were written/,
    );
  });

  test('a replay has read models and state built anew, and moves the damaged ones aside', async () => {
    restored();
    overwrite('models.db');
    const { code, stderr } = await presage(['replay'], { DATA_DIR });
    assert.is(code, 0, stderr);
    assert.match(stderr, /moved aside, and built anew: .*models\.db/);
    const running = await serve({ DATA_DIR });
    assert.match(await (await get(running.base, who, '/v1/event/streams')).text(), /"s19"/);
    await running.stop();
  });

  test('a replay touches nothing where the log itself is damaged', async () => {
    restored();
    overwrite('facts.db');
    const before = readFileSync(join(DATA_DIR, 'models.db'));
    const { code, stderr } = await presage(['replay'], { DATA_DIR });
    assert.is(code, 2, stderr);
    assert.equal(readFileSync(join(DATA_DIR, 'models.db')), before);
  });

  test('the doctor tells of every damaged one', async () => {
    restored();
    for (const name of DERIVED) overwrite(name);
    const { code, stdout } = await presage(['doctor'], { DATA_DIR });
    assert.is(code, 1, stdout);
    assert.match(stdout, /ok +files +facts\.db is whole[\s\S]*ok +files +vault\.db is whole/);
    for (const name of DERIVED)
      assert.match(stdout, `problem   files           ${join(DATA_DIR, name)} is damaged`);
    assert.match(stdout, /-> have it built anew with: presage replay/);
  });

  test('the audit reads the log alone, whatever befell the others', async () => {
    restored();
    const read = async () => {
      const { code, stdout, stderr } = await presage(['audit', '--ndjson'], { DATA_DIR });
      assert.is(code, 0, stderr);
      return {
        facts: stdout
          .trim()
          .split('\n')
          .map(line => JSON.parse(line) as { id: string }),
        stdout,
        stderr,
      };
    };
    const before = await read();
    assert.match(before.stdout, /operator@example\.org/);
    for (const name of ['vault.db', ...DERIVED]) overwrite(name);
    const found = await read();
    assert.equal(
      found.facts.map(({ id }) => id),
      before.facts.map(({ id }) => id),
    );
    assert.match(found.stdout, /"sealed":\{"of":"usr_/);
    assert.match(found.stderr, /shown as it is stored: .*vault\.db is damaged/);
    rmSync(join(DATA_DIR, 'vault.db'));
    assert.match((await read()).stderr, /shown as it is stored: .*vault\.db is not there/);
    assert.not.ok(existsSync(join(DATA_DIR, 'vault.db')));
  });
});
