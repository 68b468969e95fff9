import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { Readable } from 'node:stream';
import { promisify } from 'node:util';
import * as assert from 'uvu/assert';
import { failureOf } from '../../cli/exit.js';
import { linesOf } from '../../cli/lines.js';
import { columns, visible } from '../../cli/output.js';
import { differenceText } from '../../cli/replay.js';
import { baseUrl } from '../../areas/address.js';
import { suite } from '../suite.js';

const run = promisify(execFile);
const TOKEN = 'psg_live_vc3smfkCrKy2JwgIU3Q2P1ytdduUdHEEot3IivR0Xjq9Uqo215gtF';

/** What a log writes, from a process of its own: it goes to stderr. */
async function logged(settings: string, call: string): Promise<string> {
  const log = new URL('../../cli/log.js', import.meta.url).href;
  const { stderr } = await run(process.execPath, [
    '--input-type=module',
    '-e',
    `
    import { createLog } from '${log}';
    const log = createLog(${settings});
    ${call}
  `,
  ]);
  return stderr;
}

suite('the log', test => {
  test('one JSON line each, with level, time and message', async () => {
    const calls = `
      log.debug({}, 'no');
      log.info({ a: 1 }, 'two\\nlines');
      log.error({ err: new Error('bad') }, 'failed');`;
    const lines = (await logged(`{ LOG_LEVEL: 'info', LOG_FORMAT: 'auto' }`, calls)).trimEnd().split('\n');
    const [info, error] = lines.map(line => JSON.parse(line) as Record<string, unknown>);
    assert.is(lines.length, 2);
    assert.equal({ ...info, time: 0, pid: 0 }, { level: 'info', time: 0, pid: 0, a: 1, msg: 'two\nlines' });
    assert.match(String(info!['time']), /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
    assert.is((error!['err'] as { message: string }).message, 'bad');
  });
  test('pretty for people', async () => {
    const said = await logged(`{ LOG_LEVEL: 'info', LOG_FORMAT: 'pretty' }`, `log.warn({ a: 1 }, 'careful')`);
    assert.match(said, /WARN.*careful \{"a":1\}\n/);
  });
  for (const format of ['json', 'pretty']) {
    test(`secrets are cut out wherever they stand (${format})`, async () => {
      const said = await logged(
        `{ LOG_LEVEL: 'info', LOG_FORMAT: '${format}' }`,
        `
        const deep = { a: { b: { password: 'hush-3' } } };
        log.info({ token: 'hush-1', headers: { authorization: 'hush-2' }, ...deep }, 'with ${TOKEN}');
        log.error({ err: new Error('esdb://admin:hush-4@host:2113 says ${TOKEN}') }, 'x');
        log.error({ path: '/v1/workspace/invitations/hush-6_Jd3nW8b0k2Vx/accept' }, 'x');
        log.info({ url: '/v1/x?t=${TOKEN}', mongo: 'mongodb://u:hush-5@h/' }, 'x');`,
      );
      assert.not.match(said, /hush|mfkCrKy/);
      assert.match(said, /psg_live_\*\*\*/);
    });
  }
  test('nobody reads it any more: the process goes on', async () => {
    const log = new URL('../../cli/log.js', import.meta.url).href;
    const child = spawn(
      process.execPath,
      [
        '--input-type=module',
        '-e',
        `
      import { createLog } from '${log}';
      const log = createLog({ LOG_LEVEL: 'info', LOG_FORMAT: 'json' });
      process.stdin.once('data', () => {
        for (let i = 0; i < 100; i++) log.info({}, 'x');
        setTimeout(() => { console.log('alive'); process.exit(); }, 50);
      });
    `,
      ],
      { stdio: 'pipe' },
    );
    child.stderr.destroy();
    child.stdin.write('go');
    let said = '';
    child.stdout.on('data', chunk => {
      said += String(chunk);
    });
    await once(child, 'close');
    assert.is(said, 'alive\n');
  });
});

suite('what people see', test => {
  test('control characters and turns of direction are shown as codes', () => {
    assert.is(visible('a\u001b[31m\nb\u202ec'), 'a\\u001b[31m\\u000ab\\u202ec');
    assert.is(visible('Ölpreis 😀 شركة'), 'Ölpreis 😀 شركة');
  });
  test('columns', () => {
    assert.is(columns([4, 3, 0], ['a', 'long one', 'b']), 'a     long one  b\n');
    assert.is(columns([4, 3], ['a', '']), 'a\n');
  });
  test('addresses to paste', () => {
    assert.equal(
      [baseUrl('0.0.0.0', 1), baseUrl('::', 2), baseUrl('example.org', 3), baseUrl('127.0.0.1', 4)],
      ['http://127.0.0.1:1', 'http://[::1]:2', 'http://example.org:3', 'http://127.0.0.1:4'],
    );
  });
  test('differences by member', () => {
    const doc = { _id: 'a', _at: 1, text: 'x'.repeat(300), count: 1 };
    const of = { live: 'events_v1', rebuilt: 'events_v1_r1', id: 'a' };
    assert.is(differenceText({ ...of, was: null, is: doc }), 'events_v1 a: is missing\n');
    assert.is(differenceText({ ...of, was: doc, is: null }), 'events_v1 a: should not be there\n');
    const two = { ...doc, count: 2 };
    assert.is(differenceText({ ...of, was: doc, is: two }), 'events_v1 a\n  count: 1, should be 2\n');
    const { count, ...rest } = doc;
    const empty = { ...doc, text: '' };
    const said = differenceText({ ...of, was: rest, is: empty });
    assert.match(said, /text: "x{119}\.\.\., should be ""\n {2}count: nothing, should be 1\n/);
    assert.match(differenceText({ ...of, was: doc, is: { count, ...rest } as typeof doc }), /another order/);
  });
  test('errors: causes are told, stacks only for faults of the program', () => {
    assert.equal(failureOf(new Error('a', { cause: new Error('b') })), { message: 'a: b', code: 1 });
    assert.equal(failureOf(new Error('a: b', { cause: new Error('b') })), { message: 'a: b', code: 1 });
    assert.match(failureOf(new TypeError('x is not a function')).message, /x is not a function\n\s+at /);
    assert.is(failureOf(Object.assign(new Error('listen EADDRINUSE'), { code: 'EADDRINUSE' })).code, 3);
    assert.equal(failureOf('text'), { message: 'text', code: 1 });
  });
  test('lines end at a line feed only, also where chunks end within a character', async () => {
    const chunks = Array.from(Buffer.from('ä\u2028b\n\nc😀\nrest'), byte => Buffer.from([byte]));
    const lines: string[] = [];
    for await (const line of linesOf(Readable.from(chunks, { objectMode: false }))) lines.push(line);
    assert.equal(lines, ['ä\u2028b', '', 'c😀']);
  });
});
