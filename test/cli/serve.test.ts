import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { createConnection } from 'node:net';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import * as assert from 'uvu/assert';
import { suite } from '../suite.js';
import { accountOf, dataFolder, endAll, get, presage, record, serve, start } from './presage.js';

const sh = promisify(execFile);
const portOf = (base: string): string => new URL(base).port;

suite('presage serve', test => {
  test.after(endAll);

  test('on an empty folder it prints calls that work, once; no token reaches the log', async () => {
    const DATA_DIR = dataFolder();
    const first = await serve({ DATA_DIR });
    const who = await accountOf(first);
    const calls = first.said.stdout
      .split('\n')
      .slice(1)
      .filter(line => !/^(A first|All of|Record|Read)/.test(line))
      .join('\n');
    const [recording, reading] = calls.split(/(?=^curl)/m).filter(call => call.startsWith('curl'));
    assert.match((await sh('sh', ['-c', recording!])).stdout, /"event_id":"evt_/);
    assert.match((await sh('sh', ['-c', reading!])).stdout, /"key":"news:oil","count":1/);
    const [, exported] = /^(export TOKEN=.*)$/m.exec(calls)!;
    const told = await sh('sh', ['-c', `${exported}; echo "$TOKEN $WORKSPACE"`]);
    assert.is(told.stdout, `${who.token} ${who.workspace}\n`);
    assert.match(first.said.stdout, /second terminal/);
    assert.match(first.said.stdout, /scores a moment later/);
    const ended = await first.stop();
    assert.is(ended.code, 0);

    const second = await serve({ DATA_DIR, npm_lifecycle_event: 'start' });
    assert.is((await get(second.base, who, '/v1/event/streams')).status, 200);
    const again = await second.stop();
    assert.is(again.code, 0);
    assert.not.match(again.stdout, /psg_live_/);
    assert.match(again.stdout, /: npm run presage -- bootstrap --email ADDRESS\n/);
    for (const { stderr } of [ended, again]) {
      assert.not.match(stderr, /psg_live_/);
      const lines = stderr
        .trim()
        .split('\n')
        .map(line => JSON.parse(line) as { level: string; msg: string });
      assert.equal(
        lines.map(({ msg }) => msg),
        ['started', 'stopping: requests under way are finished first', 'stopped'],
      );
    }
  });

  test('an address that there is not is a wrong setting, a misspelt one is warned of', async () => {
    const DATA_DIR = dataFolder();
    const env = { HOST: '999.1.1.1', DATADIR: '/somewhere/else', DATA_DIR };
    const { code, stderr } = await presage(['serve'], env);
    assert.is(code, 2);
    assert.match(stderr, /presage: HOST="999\.1\.1\.1" is not possible: /);
    assert.match(stderr, /"name":"DATADIR","meant":"DATA_DIR"/);
  });

  test('it says whether it is ready, and what it is', async () => {
    const running = await serve({ DATA_DIR: dataFolder() });
    const who = await accountOf(running);
    const ready = await get(running.base, who, '/ready');
    assert.equal(await ready.json(), {
      status: 'ready',
      checks: {
        ...{ database: 'ok', event_log: 'ok', projections: 'ok', disk: 'ok' },
        ...{ scheduler: 'ok', reactors: 'ok' },
      },
      projection_lag_ms: 0,
      scoring_backlog: 0,
      parked_facts: 0,
    });
    const version = (await (await fetch(`${running.base}/version`)).json()) as {
      service_version: string;
      commit: string;
    };
    assert.match(version.service_version, /^presage \d+\.\d+\.\d+$/);
    assert.match(version.commit, /^([0-9a-f]{40}|unknown)$/);
    assert.is((await running.stop()).code, 0);
  });

  test('where no socket can be made it runs all the same', async () => {
    const DATA_DIR = dataFolder();
    mkdirSync(join(DATA_DIR, 'operator.sock', 'in the way'), { recursive: true });
    const running = await serve({ DATA_DIR });
    await accountOf(running);
    const { code, stderr } = await running.stop();
    assert.is(code, 0);
    assert.match(stderr, /no socket for operators/);
  });

  test('requests under way at the end are finished and their events are kept', async () => {
    const DATA_DIR = dataFolder();
    const running = await serve({ DATA_DIR, RATE_PUSH: '1000000', RATE_DEFAULT: '1000000' });
    const who = await accountOf(running);
    const recorded: string[] = [];
    const refused: unknown[] = [];
    let stopping = false;
    const writer = async (name: number): Promise<void> => {
      for (let i = 0; ; i++) {
        try {
          recorded.push(await record(running.base, who, { key: `k${name}`, text: `text ${i}` }));
        } catch (error) {
          refused.push(error);
          assert.ok(stopping, `refused before the end: ${String(error)}`);
          return;
        }
      }
    };
    const writers = Array.from({ length: 8 }, (_, name) => writer(name));
    while (recorded.length < 200) await new Promise(resolve => setTimeout(resolve, 5));
    stopping = true;
    assert.is((await running.stop()).code, 0);
    await Promise.all(writers);
    // New connections are refused; anything else would be a request cut off
    for (const error of refused) assert.match(String((error as Error).cause), /ECONNREFUSED/);
    const { stdout } = await presage(['audit', '--type', 'EventRecorded', '--ndjson'], { DATA_DIR });
    const kept = new Set(
      stdout
        .trim()
        .split('\n')
        .map(line => (JSON.parse(line) as { data: { eventId: string } }).data.eventId),
    );
    assert.equal(
      recorded.filter(id => !kept.has(id)),
      [],
    );
  });

  test('a request that is still arriving is answered after SIGTERM', async () => {
    const running = await serve({ DATA_DIR: dataFolder() });
    const who = await accountOf(running);
    const body = JSON.stringify({ key: 'slow', text: 'it comes in two parts' });
    const socket = createConnection(Number(portOf(running.base)), '127.0.0.1');
    let answer = '';
    socket.on('data', chunk => {
      answer += chunk.toString();
    });
    socket.write(
      'POST /v1/event/record HTTP/1.1\r\nHost: x\r\n'
        + `Authorization: Bearer ${who.token}\r\nX-Workspace-Id: ${who.workspace}\r\n`
        + `Content-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n${body.slice(0, 10)}`,
    );
    await new Promise(resolve => setTimeout(resolve, 100));
    running.child.kill('SIGTERM');
    await new Promise(resolve => setTimeout(resolve, 700));
    socket.write(body.slice(10));
    await once(socket, 'close');
    assert.match(answer, /^HTTP\/1.1 200 OK/);
    assert.is((await running.ended).code, 0);
  });

  test('a second signal ends it at once', async () => {
    const running = await serve({ DATA_DIR: dataFolder() });
    await accountOf(running);
    const socket = createConnection(Number(portOf(running.base)), '127.0.0.1');
    socket.on('error', () => undefined);
    socket.write('POST /v1/event/record HTTP/1.1\r\nHost: x\r\nContent-Length: 100\r\n\r\nhalf');
    await new Promise(resolve => setTimeout(resolve, 100));
    running.child.kill('SIGINT');
    // The same once more, at once: Ctrl-C under npm comes twice
    running.child.kill('SIGINT');
    await new Promise(resolve => setTimeout(resolve, 800));
    assert.is(running.child.exitCode, null);
    assert.is((await running.stop('SIGINT')).code, 130);
    socket.destroy();
  });

  test('what others have already is refused in one line: the data folder, the port', async () => {
    const DATA_DIR = dataFolder();
    const running = await serve({ DATA_DIR });
    const folder = await presage(['serve'], { DATA_DIR });
    assert.is(folder.code, 3);
    const holder = `presage serve on \\S+ \\(process ${running.child.pid}, `;
    assert.match(folder.stderr, new RegExp(`^presage: data folder ${DATA_DIR} is in use by ${holder}.*\n$`));
    const other = dataFolder();
    const port = await presage(['serve'], { DATA_DIR: other, PORT: portOf(running.base) });
    assert.is(port.code, 3);
    assert.match(port.stderr, /^presage: .*EADDRINUSE.*\n.*set PORT/m);
    assert.is(port.stdout, '');
    assert.is((await running.stop()).code, 0);
    // Nobody was made for a platform that did not start: the token would have been lost
    const then = await serve({ DATA_DIR: other });
    await accountOf(then);
    await then.stop();
  });

  test('a wrong configuration is refused by name', async () => {
    const { code, stderr } = await presage(['serve'], { PORT: '80800', LOG_LEVEL: 'loud' });
    assert.is(code, 2);
    assert.match(stderr, /PORT="80800" is not possible: a whole number from 0 to 65535\n/);
    assert.match(stderr, /LOG_LEVEL="loud" is not possible: one of fatal/);
  });

  test('a data folder that cannot be is refused without a stack', async () => {
    const file = dataFolder();
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, '');
    const { code, stderr } = await presage(['serve'], { DATA_DIR: file });
    assert.is(code, 1);
    assert.match(stderr, new RegExp(`data folder ${file} cannot be written`));
    assert.not.match(stderr, /\n\s+at /);
  });

  test('an address that is not of this machine is refused', async () => {
    const DATA_DIR = dataFolder();
    const { code, stderr } = await presage(['serve'], { DATA_DIR, HOST: '192.0.2.1' });
    assert.is(code, 2);
    assert.match(stderr, /HOST is no address of this machine/);
    assert.not.ok(existsSync(`${DATA_DIR}/operator.sock`));
  });

  test('roles are checked', async () => {
    const { code, stderr } = await presage(['serve', '--role', 'api,cook'], { DATA_DIR: dataFolder() });
    assert.is(code, 2);
    assert.match(stderr, /some of api, projections, workers/);
  });

  test('a part of the roles is possible, and without api nothing listens', async () => {
    const running = start(['serve', '--role', 'projections,workers'], { DATA_DIR: dataFolder() });
    await running.says('Presage runs: projections, workers\n');
    const { code, stderr } = await running.stop('SIGINT');
    assert.is(code, 0);
    assert.match(stderr, /nobody does these parts/);
  });

  test('a signal while it is starting ends it, too', async () => {
    const running = start(['serve'], { DATA_DIR: dataFolder() });
    await new Promise(resolve => setTimeout(resolve, 250));
    const { code } = await running.stop();
    // Before the program has read its first line the signal is the system's
    assert.ok(code === 0 || code === null, `exit code ${code}`);
  });
});
