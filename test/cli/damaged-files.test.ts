import { cpSync, existsSync, readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import * as assert from 'uvu/assert';
import { randomOf } from '../random.js';
import { suite } from '../suite.js';
import { accountOf, dataFolder, endAll, get, presage, record, serve, type Account } from './presage.js';

const SOURCES = ['facts.db', 'vault.db'];
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
  const refused = async (name: string): Promise<void> => {
    for (const command of ['serve', 'doctor']) {
      const { code, stdout, stderr } = await presage([command], { DATA_DIR });
      assert.ok(code === 2 || code === 1, `${command} ended with ${code}: ${stdout}${stderr}`);
      assert.match(stdout + stderr, `${name} is damaged`);
    }
  };

  for (const name of [...SOURCES, ...DERIVED])
    test(`${name}, overwritten, is refused by name`, async () => {
      restored();
      overwrite(name);
      await refused(name);
    });

  test('cut, or no database at all, they are refused by name', async () => {
    restored();
    truncateSync(join(DATA_DIR, 'facts.db'), 12_000);
    await refused('facts.db');
    restored();
    writeFileSync(join(DATA_DIR, 'models.db'), 'this is no database, nor was it ever one'.repeat(500));
    await refused('models.db');
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

  /** More of them: `DAMAGED_PLACES=20`. */
  const places = Number(process.env['DAMAGED_PLACES'] ?? 1);
  for (const name of [...SOURCES, ...DERIVED])
    test(`${name}, with bytes flipped, ends nothing by a signal`, async () => {
      const { below } = randomOf(20_261_122);
      for (let i = 0; i < places; i++) {
        restored();
        const file = join(DATA_DIR, name);
        const bytes = readFileSync(file);
        for (let j = 0; j < 64; j++) bytes[below(bytes.length)]! ^= 0xff;
        writeFileSync(file, bytes);
        const { code, stdout, stderr } = await presage(['doctor'], { DATA_DIR });
        assert.ok(code === 0 || code === 1, `doctor ended with ${code}: ${stdout}${stderr}`);
        if (code === 1) assert.match(stdout + stderr, name);
      }
    });
});
