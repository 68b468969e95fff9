import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { existsSync, lstatSync, mkdirSync, statSync } from 'node:fs';
import { createConnection, type Socket } from 'node:net';
import { join } from 'node:path';
import * as assert from 'uvu/assert';
import { embeddedEventStore } from '../../adapters/embedded/event-store.js';
import { START } from '../../domain/fact.js';
import { until } from '../platform.js';
import { suite } from '../suite.js';
import {
  account,
  accountOf,
  dataFolder,
  endAll,
  get,
  presage,
  record,
  serve,
  start,
  type Listening,
} from './presage.js';

/** A connection to the socket of a platform; what is written waits until it stands. */
const connected = (dataDir: string): Socket => createConnection(join(dataDir, 'operator.sock'));

/** What the socket of a platform answers to a line. */
async function asked(dataDir: string, line: string, socket = connected(dataDir)): Promise<string> {
  let answer = '';
  socket.on('data', chunk => {
    answer += chunk.toString();
  });
  socket.write(`${line}\n`);
  await once(socket, 'close');
  return answer;
}

suite('commands beside a running platform', test => {
  let running: Listening;
  const DATA_DIR = dataFolder();
  test.before(async () => {
    running = await serve({ DATA_DIR });
    await accountOf(running);
  });
  test.after(async () => {
    await running.stop();
    endAll();
  });

  test("the socket is its owner's alone", () => {
    const { mode } = statSync(join(DATA_DIR, 'operator.sock'));
    assert.is(mode & 0o777, 0o600);
  });

  test('bootstrap makes a token that works at once, with the address of the running platform', async () => {
    const { code, stdout } = await presage(
      ['bootstrap', '--json', '--terms', 'oil, refinery', '--email', 'oil@example.org'],
      { DATA_DIR },
    );
    assert.is(code, 0);
    const made = JSON.parse(stdout) as { token: string; workspace_id: string; base_url: string };
    assert.is(made.base_url, running.base);
    const who = { token: made.token, workspace: made.workspace_id };
    await record(running.base, who, { key: 'news', text: 'Refinery fire' });
    assert.is((await get(running.base, who, '/v1/event/streams')).status, 200);
    assert.not.match(running.said.stderr, /psg_live_/);
    const again = await presage(['bootstrap', '--email', 'Oil@example.org'], { DATA_DIR });
    assert.is(again.code, 2);
    assert.match(
      again.stderr,
      /^presage: There is a user with this email address: usr_\w+; name another \(--email\), or give/,
    );
  });

  test('the same commands give the same answers with the platform running and stopped', async () => {
    const both = async (): Promise<string[]> => {
      const ends = [
        // Not the scores: they may still be on their way
        await presage(['audit', '--type', 'UserRegistered,MemberAdded,EventRecorded'], { DATA_DIR }),
        await presage(['audit', '--ndjson', '--type', 'EventRecorded'], { DATA_DIR }),
        await presage(['replay', '--verify'], { DATA_DIR }),
      ];
      assert.equal(
        ends.map(({ code }) => code),
        [0, 0, 0],
      );
      return ends.map(({ stdout }) => stdout.replace(/ in [\d.]+ s .*/g, ''));
    };
    const beside = await both();
    await running.stop();
    assert.equal(await both(), beside);
    assert.match(beside[2]!, /events: all \d+ documents are as the facts say/);
    running = await serve({ DATA_DIR });
  });

  test('replay serves the new documents, and reads and writes go on meanwhile', async () => {
    const who = account((await presage(['bootstrap', '--email', 'replay@example.org'], { DATA_DIR })).stdout);
    const ids: string[] = [];
    let replaying = true;
    const writing = (async () => {
      for (let i = 0; replaying || i < 20; i++)
        ids.push(await record(running.base, who, { key: 'k', text: `text ${i}` }));
    })();
    for (let i = 0; i < 3; i++) assert.is((await presage(['replay'], { DATA_DIR })).code, 0);
    replaying = false;
    await writing;
    const { stdout, code } = await presage(['replay', '--verify'], { DATA_DIR });
    assert.is(code, 0, stdout);
    const answer = await get(running.base, who, '/v1/event/streams');
    const { data } = (await answer.json()) as { data: { streams: { count: number }[] } };
    assert.is(data.streams[0]!.count, ids.length);
  });

  test('Ctrl-C ends a command and what it had the platform do', async () => {
    const following = start(['audit', '--follow', '--type', 'UserRegistered'], { DATA_DIR });
    await following.says('UserRegistered');
    const { code } = await following.stop('SIGINT');
    assert.is(code, 130);
    assert.is((await presage(['audit', '--limit', '1'], { DATA_DIR })).code, 0);
  });

  test('a platform that stops ends the commands in it, which say so', async () => {
    const following = start(['audit', '--follow', '--ndjson'], { DATA_DIR });
    await following.says('UserRegistered');
    assert.is((await running.stop()).code, 0);
    const { code, stderr } = await following.ended;
    assert.is(code, 1);
    assert.match(stderr, /the platform stopped before this was done/);
    assert.not.ok(existsSync(join(DATA_DIR, 'operator.sock')));
    running = await serve({ DATA_DIR });
  });

  test('audit --follow shows what is recorded from now on', async () => {
    const who = account((await presage(['bootstrap', '--email', 'follow@example.org'], { DATA_DIR })).stdout);
    const following = start(['audit', '--follow', '--ndjson', '--workspace', who.workspace], { DATA_DIR });
    await following.says('MemberAdded');
    const id = await record(running.base, who, { key: 'k', text: 'text' });
    await following.says(id);
    assert.is((await following.stop('SIGTERM')).code, 130);
  });

  test('a socket left by a killed platform is no hindrance', async () => {
    await running.stop('SIGKILL');
    assert.ok(existsSync(join(DATA_DIR, 'operator.sock')));
    assert.is((await presage(['audit', '--limit', '1'], { DATA_DIR })).code, 0);
    running = await serve({ DATA_DIR });
    assert.is((await presage(['audit', '--limit', '1'], { DATA_DIR })).code, 0);
  });

  test('what is no request, or that of another version, is refused and harms nothing', async () => {
    assert.match(await asked(DATA_DIR, 'hello'), /"kind":"error"/);
    const old = await asked(DATA_DIR, '{"version":"presage 0.0.0","job":"audit","options":{}}');
    assert.match(old, /the running platform is presage/);
    const { service_version: version } = (await (await fetch(`${running.base}/version`)).json()) as {
      service_version: string;
    };
    assert.match(
      await asked(DATA_DIR, JSON.stringify({ version, job: 'constructor', options: {} })),
      /knows no constructor/,
    );
    assert.is((await fetch(`${running.base}/health`)).status, 200);
  });
});

suite('a data folder with a long name', test => {
  test.after(endAll);

  test('its socket lies elsewhere, with a link to it', async () => {
    const DATA_DIR = dataFolder(`${'long'.repeat(40)}/data`);
    const running = await serve({ DATA_DIR });
    const link = join(DATA_DIR, 'operator.sock');
    assert.ok(lstatSync(link).isSymbolicLink());
    const audit = async (): Promise<void> => {
      const { code, stderr } = await presage(['audit', '--limit', '1'], { DATA_DIR });
      assert.is(code, 0, stderr);
    };
    await audit();
    assert.is((await running.stop()).code, 0);
    assert.not.ok(existsSync(link));
    await audit();
  });
});

suite('a job that nobody waits for any more', test => {
  test.after(endAll);

  test('is cancelled in the platform, drops what it had built, and can be asked for again', async () => {
    const DATA_DIR = dataFolder();
    await fill(DATA_DIR, 60_000);
    // Nothing is scored meanwhile
    const running = await serve({ DATA_DIR, LOG_LEVEL: 'error' }, '--role', 'api,projections');
    const { service_version: version } = (await (await fetch(`${running.base}/version`)).json()) as {
      service_version: string;
    };
    const options = { projection: 'events', verify: true };

    const [socket, other] = [connected(DATA_DIR), connected(DATA_DIR)];
    await once(other, 'connect');
    socket.write(`${JSON.stringify({ version, job: 'replay', options })}\n`);
    const [first] = (await once(socket, 'data')) as [Buffer];
    assert.match(first.toString(), /^\{"kind":"progress"/);
    const busy = await asked(DATA_DIR, JSON.stringify({ version, job: 'replay', options }), other);
    assert.match(busy, /the replay of events is under way already/);
    socket.destroy();

    const leftOver = async () => (await presage(['doctor'], { DATA_DIR })).stdout.includes('nothing reads');
    await until(async () => !(await leftOver()), 'that nothing is left over');
    const again = await presage(['replay', '--verify', '--projection', 'events'], { DATA_DIR });
    assert.is(again.code, 0, again.stderr);
    assert.match(again.stdout, /60000 facts/);
    assert.is((await running.stop()).stderr, '');
  });

  test('Ctrl-C ends a replay without a platform, too, and leaves nothing behind', async () => {
    const DATA_DIR = dataFolder();
    await fill(DATA_DIR, 100_000);
    const replaying = start(['replay'], { DATA_DIR });
    await until(async () => /rebuilding/.test(replaying.said.stderr), 'its progress');
    const { code, stderr } = await replaying.stop('SIGINT');
    assert.is(code, 130, stderr);
    assert.match(stderr, /interrupted\n$/);
    assert.not.match((await presage(['doctor'], { DATA_DIR })).stdout, /nothing reads/);
  });
});

/** Recorded events, straight into the log. */
async function fill(dataDir: string, count: number): Promise<void> {
  mkdirSync(dataDir, { recursive: true, mode: 0o700 });
  const store = embeddedEventStore(join(dataDir, 'facts.db'));
  const meta = { workspace: 'wsp_w', actor: 'token:t', request: null, correlation: 'c', causation: null };
  for (let n = 0; n < count; n += 5_000) {
    const facts = Array.from({ length: 5_000 }, (_, i) => {
      const eventId = `evt_${String(n + i).padStart(8, '0')}`;
      const data = {
        eventId,
        key: `k${i % 20}`,
        text: `text ${i}`,
        occurredAt: 1_700_000_000_000 + n + i,
        shape: 'stale',
      };
      return { type: 'EventRecorded', id: randomUUID(), at: 1_700_000_000_000, meta, data };
    });
    await store.append(`event-filled.${n}`, START, facts);
  }
  await store.close();
}
