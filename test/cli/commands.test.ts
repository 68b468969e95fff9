import { execFile } from 'node:child_process';
import { mkdirSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import Libsql from 'libsql';
import * as assert from 'uvu/assert';
import type { Fact } from '../../domain/fact.js';
import { suite } from '../suite.js';
import {
  account,
  accountOf,
  dataFolder,
  endAll,
  get,
  presage,
  record,
  scored,
  serve,
  type Account,
} from './presage.js';

const entry = fileURLToPath(new URL('../../cli/presage.js', import.meta.url));
const run = promisify(execFile);

/** A stopped platform with a few events in it, all scored. */
async function stopped() {
  const DATA_DIR = dataFolder();
  const running = await serve({ DATA_DIR });
  const who = await accountOf(running);
  const ids: string[] = [];
  for (let i = 0; i < 5; i++) {
    ids.push(
      await record(running.base, who, {
        key: `k${i % 2}`,
        text: `Text \u2028 ${i}`,
        occurred_at: 1_700_000_000 + i,
      }),
    );
  }
  for (const id of ids) await scored(running.base, who, id);
  assert.is((await running.stop()).code, 0);
  return { DATA_DIR, who, ids };
}

suite('commands with the platform stopped', test => {
  let DATA_DIR: string;
  let ids: string[];
  let who: Account;
  test.after(endAll);
  test.before(async () => {
    ({ DATA_DIR, ids, who } = await stopped());
  });
  const rows = (stdout: string) =>
    stdout
      .trim()
      .split('\n')
      .filter(line => line !== '')
      .map(line => JSON.parse(line) as Row);
  type Row = Pick<Fact, 'position' | 'type' | 'at' | 'journal' | 'meta'> & { data: { text?: string } };
  const facts = async (...filter: string[]): Promise<Row[]> =>
    rows((await presage(['audit', '--ndjson', ...filter], { DATA_DIR })).stdout);

  test('audit: whole facts, a line each, also with odd separators in them', async () => {
    const all = await facts();
    assert.is(all.length, 8 + 2 * ids.length);
    const recorded = all.filter(({ type }) => type === 'EventRecorded');
    const third = recorded[2]!;
    assert.equal(
      recorded.map(({ data }) => data.text),
      ids.map((_, i) => `Text \u2028 ${i}`),
    );
    assert.equal(
      (await facts('--journal', third.journal)).map(({ type }) => type),
      ['EventRecorded', 'EventScored'],
    );
    assert.equal(
      await facts('--correlation', third.meta.correlation),
      await facts('--journal', third.journal),
    );
    assert.equal(
      await facts('--from', new Date(third.at).toISOString()),
      all.filter(({ at }) => at >= third.at),
    );
    assert.equal(
      await facts('--to', String(third.at)),
      all.filter(({ at }) => at < third.at),
    );
    const next = all.filter(({ position }) => position > third.position).slice(0, 3);
    assert.equal(await facts('--after', String(third.position), '--limit', '3'), next);
  });

  test('audit: a table for people, which says how to go on', async () => {
    const { stdout, stderr } = await presage(['audit', '--type', 'EventRecorded', '--limit', '2'], {
      DATA_DIR,
    });
    const [head, ...lines] = stdout.trimEnd().split('\n');
    assert.match(head!, /^TIME +POSITION +TYPE +JOURNAL +ACTOR +REQUEST$/);
    assert.is(lines.length, 2);
    assert.match(
      lines[0]!,
      /^\d{4}-\d\d-\d\dT[\d:.]+Z +\d+ +EventRecorded +event-wsp_\w+\.evt_\w+ +token:tok_\w+ +req_\w+$/,
    );
    assert.match(stderr, /^2 facts; go on with --after \d+\n$/);
  });

  test('audit: a reader that has enough is no fault', async () => {
    const line = `"${process.execPath}" "${entry}" audit --ndjson | head -n 1`;
    const { stdout, stderr } = await run('sh', ['-c', line], { env: { ...process.env, DATA_DIR } });
    assert.is(rows(stdout).length, 1);
    assert.is(stderr, '');
  });

  test('audit shows no secret: what is stored of a token is its hash', async () => {
    const { stdout } = await presage(['audit', '--ndjson', '--type', 'ApiTokenIssued'], { DATA_DIR });
    assert.match(stdout, /"hash":"[0-9a-f]{64}"/);
    assert.not.match(stdout, /psg_live_\w{10}/);
  });

  test('replay --verify finds documents that are not as the facts say, and replay mends them', async () => {
    assert.is((await presage(['replay', '--verify'], { DATA_DIR })).code, 0);
    const db = new Libsql(join(DATA_DIR, 'models.db'));
    const tables = db.prepare(`SELECT name FROM sqlite_master WHERE type = 'table'`).raw().all() as [
      string,
    ][];
    const [name] = tables.find(([table]) => /^events_v\d+$/.test(table))!;
    db.exec(`UPDATE "${name}" SET doc = replace(doc, 'Text', 'Lies')`);
    db.close();

    const differing = await presage(['replay', '--verify', '--projection', 'events'], { DATA_DIR });
    assert.is(differing.code, 1);
    assert.match(
      differing.stdout,
      new RegExp(`${name} ${who.workspace}/${ids[0]}\n  text: "Lies .* 0", should be "Text .* 0"`),
    );
    assert.match(differing.stdout, new RegExp(`events: ${ids.length} of \\d+ documents differ`));
    assert.match(differing.stderr, /mend them with: presage replay/);
    assert.is((await presage(['replay', '--projection', 'events'], { DATA_DIR })).code, 0);
    assert.is((await presage(['replay', '--verify'], { DATA_DIR })).code, 0);
  });

  test('rescore: what is up to date stays as it is, and the log has the last word on that', async () => {
    // The first events may have been scored before the workspace's profile had the names of their streams
    assert.is((await presage(['rescore'], { DATA_DIR })).code, 0);
    const none = await presage(['rescore'], { DATA_DIR });
    assert.match(
      none.stdout,
      new RegExp(`^0 of ${ids.length} events scored anew by es-[0-9a-f]{12} in [\\d.]+ s\n$`),
    );
    const db = new Libsql(join(DATA_DIR, 'models.db'));
    const [name] = db
      .prepare(`SELECT name FROM sqlite_master WHERE type = 'table' AND name GLOB 'events_v*'`)
      .raw()
      .get() as [string];
    db.exec(`UPDATE "${name}" SET doc = replace(doc, '"score_version":"es-', '"score_version":"xx-')`);
    db.close();
    const facts = (await presage(['audit', '--ndjson', '--type', 'EventScored'], { DATA_DIR })).stdout
      .trim()
      .split('\n').length;
    const { code, stdout } = await presage(['rescore'], { DATA_DIR });
    assert.is(code, 0, stdout);
    assert.match(stdout, new RegExp(`^0 of ${ids.length} `), 'the log has the last word');
    assert.is(
      (await presage(['audit', '--ndjson', '--type', 'EventScored'], { DATA_DIR })).stdout.trim().split('\n')
        .length,
      facts,
    );
    assert.is((await presage(['replay', '--projection', 'events'], { DATA_DIR })).code, 0);
  });

  test('read models that are lost come back with the next start', async () => {
    for (const end of ['', '-wal', '-shm']) rmSync(join(DATA_DIR, `models.db${end}`), { force: true });
    const { code, stdout } = await presage(['replay', '--verify'], { DATA_DIR });
    assert.is(code, 0);
    assert.match(stdout, /events: all \d+ documents/);
  });

  test('bootstrap prints an account that the next start knows', async () => {
    const names = ['--organization', 'Acme', '--workspace', 'Oil', '--email', 'a@b.c', '--name', 'Ann'];
    const { stdout, code } = await presage(['bootstrap', ...names], { DATA_DIR });
    assert.is(code, 0);
    assert.match(
      stdout,
      /^Organization +org_\w+ +Acme\nWorkspace +wsp_\w+ +Oil\nUser +usr_\w+ +Ann <a@b\.c>\n/,
    );
    assert.match(stdout, /^Token +tok_\w+ +psg_live_\w+$/m);
    const running = await serve({ DATA_DIR });
    assert.is((await get(running.base, account(stdout), '/v1/event/streams')).status, 200);
    await running.stop();
  });

  test('two at a time: the second one waits for the first', async () => {
    const ends = await Promise.all(
      Array.from({ length: 3 }, () => presage(['audit', '--limit', '1'], { DATA_DIR })),
    );
    assert.equal(
      ends.map(({ code }) => code),
      [0, 0, 0],
    );
  });

  test('commands that only look make no data folder', async () => {
    const none = dataFolder();
    for (const command of [['audit'], ['replay'], ['replay', '--verify'], ['rescore']]) {
      const { code, stderr } = await presage(command, { DATA_DIR: none });
      assert.is(code, 2);
      assert.match(stderr, /there is no data folder/);
    }
    assert.is((await presage(['doctor'], { DATA_DIR: none })).code, 0);
    assert.throws(() => statSync(none), /ENOENT/);
  });

  test('wrong use is refused with what is possible', async () => {
    const wrong: [string[], RegExp][] = [
      [['audit', '--from', 'yesterday'], /is not a time/],
      [['audit', '--limit', '-3'], /whole number/],
      [['audit', 'x'], /too many arguments/],
      [['bootstrap', '--email', 'x'], /e-mail/],
      [['replay', '--projection', 'x'], /there is no projection 'x'; there are identity, audit, events/],
      [['cook'], /unknown command/],
      [[], /Usage: presage/],
    ];
    for (const [args, said] of wrong) {
      const { code, stderr } = await presage(args, { DATA_DIR });
      assert.is(code, 2, args.join(' '));
      assert.match(stderr, said);
    }
  });

  test('every command explains itself', async () => {
    for (const name of ['serve', 'bootstrap', 'replay', 'audit', 'doctor']) {
      const { code, stdout } = await presage([name, '--help'], {});
      assert.is(code, 0);
      assert.match(stdout, new RegExp(`^Usage: presage ${name}[^]*Exit codes:`));
    }
  });
});

suite('presage doctor', test => {
  test.after(endAll);

  test('all is well: every line ok, exit 0, and the same beside a running platform', async () => {
    const DATA_DIR = dataFolder();
    const running = await serve({ DATA_DIR });
    await accountOf(running);
    const parts = (stdout: string) =>
      stdout
        .trim()
        .split('\n')
        .map(line => line.split(/ {2,}/).slice(0, 2).join(' '));
    const beside = await presage(['doctor'], { DATA_DIR });
    await running.stop();
    const alone = await presage(['doctor'], { DATA_DIR });
    assert.equal([beside.code, alone.code], [0, 0], beside.stdout + alone.stdout);
    assert.equal(parts(beside.stdout), parts(alone.stdout));
    assert.equal(
      [...new Set(parts(alone.stdout))],
      [
        'program',
        'configuration',
        'data folder',
        'files',
        'event store',
        'vault',
        'read models',
        'projections',
        'scoring',
        'scheduler',
        'reactors',
        'models',
        'foundation models',
        ...['made models', 'reports', 'uploads'],
        'clock',
      ].map(part => `ok ${part}`),
    );
  });

  test('what others may read, and an empty store, are warnings with what to do', async () => {
    const DATA_DIR = dataFolder();
    mkdirSync(DATA_DIR, { mode: 0o755 });
    const { code, stdout } = await presage(['doctor'], { DATA_DIR, HOST: '0.0.0.0' });
    assert.is(code, 0);
    assert.match(stdout, /warning +data folder +other users .*mode 755\)\n +-> chmod 700/);
    assert.match(stdout, /warning +event store +nobody is here yet\n +-> presage bootstrap/);
    assert.match(stdout, /warning +configuration +HOST=0\.0\.0\.0/);
  });

  test('problems: exit 1', async () => {
    const wrong = await presage(['doctor'], { PORT: 'x', MAX_IN_FLIGHT: '0' });
    assert.is(wrong.code, 1);
    assert.match(wrong.stdout, /problem +configuration +PORT="x"/);
    assert.match(wrong.stdout, /problem +configuration +MAX_IN_FLIGHT="0"/);
    assert.match(wrong.stderr, /^presage: 2 problems\n$/);
    const file = await presage(['doctor'], { DATA_DIR: entry });
    assert.not.match(file.stdout, /servers/, 'there are none');
    assert.is(file.code, 1);
    assert.match(file.stdout, /problem +data folder +\S+ is not a folder/);
  });
});
