import * as assert from 'uvu/assert';
import { startPlatform, temporaryFolder, until, type Running } from '../platform.js';
import { peopleOf, type People } from '../people.js';
import { suite } from '../suite.js';
import { connect, type RealtimeClient } from './client.js';

suite('limits of the realtime gateway', test => {
  const folder = temporaryFolder();
  let now = Date.now();
  let api: Running;
  let people: People;
  let token: string;
  let channel: string;
  test.before(async () => {
    api = await startPlatform(folder.path, { running: ['api', 'projections'], clock: () => now });
    people = peopleOf(api.platform);
    token = api.installed.token;
    channel = `workspace:${api.installed.workspaceId}`;
  });
  test.after(async () => {
    await api.stop();
    folder.remove();
  });
  const welcomed = async (of = token): Promise<RealtimeClient> => {
    const client = await connect(api.base, { token: of });
    await client.welcome();
    return client;
  };

  test('20 connections of a token; one more is closed with 4429, one of another token is not', async () => {
    const clients: RealtimeClient[] = [];
    for (let i = 0; i < 20; i++) clients.push(await welcomed());
    const over = await connect(api.base, { token });
    assert.equal(await over.closed(), { code: 4429, reason: 'too many connections of this token' });
    const other = await welcomed(await people.token(api.installed.uid));
    await clients[0]!.end();
    // Its end is seen here before the other side sees it
    const again = await until(async () => {
      const client = await connect(api.base, { token });
      return 'type' in (await Promise.race([client.welcome(), client.closed()])) && client;
    }, 'a place');
    for (const client of [...clients.slice(1), other, again]) await client.end();
  });

  test('200 channels of a connection; those beyond are denied, then 4429', async () => {
    const owner = (await people.person('many@example.org')).uid;
    const at = people.operator();
    const organization = await people.groups.createOrganization(owner, { name: 'Many' }, at);
    const channels = [`user:${owner}`];
    let position: number | null = null;
    while (channels.length <= 200) {
      const named = { name: `W${channels.length}`, organizationId: organization.groupId };
      const made = await people.groups.createWorkspace(owner, named, at);
      channels.push(`workspace:${made.groupId}`);
      position = made.position;
    }
    await api.platform.visible(position);
    const client = await welcomed(await people.token(owner));
    const first = await client.subscribe(...channels.slice(0, 150), channels[0]!);
    assert.equal([first['subscribed'], first['denied']], [channels.slice(0, 150), []]);
    const second = await client.subscribe(...channels.slice(100, 200));
    assert.equal([second['subscribed'], second['denied']], [channels.slice(100, 200), []]);
    const third = await client.subscribe(channels[0]!, channels[200]!);
    assert.equal(third['subscribed'], [channels[0]]);
    assert.equal(third['denied'], [{ channel: channels[200], code: 'too_many_channels' }]);
    assert.equal(await client.closed(), { code: 4429, reason: 'too many channels' });
  });

  test('64 KB for a whole message, in however many parts: 4413 beyond it', async () => {
    const fits = await welcomed();
    const text = (size: number) => `{"type":"ping","ref":"r"${' '.repeat(size - 25)}}`;
    fits.send(text(65_536));
    await until(async () => fits.frames.some(({ ref }) => ref === 'r'));
    fits.send(text(65_537));
    assert.is((await fits.closed()).code, 4413);
    const parts = await welcomed();
    parts.socket.send(text(40_000), { fin: false });
    parts.socket.send(text(40_000), { fin: true });
    assert.is((await parts.closed()).code, 4413);
  });

  test('says what is wrong with a frame; 20 such within 10 seconds end in 4400', async () => {
    const client = await welcomed();
    const types = 'auth, subscribe, unsubscribe, ping';
    const wrong = [
      ['', 'A frame is a JSON object', null],
      ['{"type"', 'The frame is not valid JSON', null],
      ['[]', `'type' is one of ${types}`, null],
      ['7', 'A frame is a JSON object', null],
      ['{"type":"shout","ref":"a"}', `'type' is one of ${types}`, 'a'],
      ['{"type":"constructor","ref":7}', `'type' is one of ${types}`, null],
      ['{"type":"subscribe","ref":"b"}', "'channels' is required", 'b'],
      ['{"type":"subscribe","channels":[]}', "'channels' must NOT have fewer than 1 items", null],
      ['{"type":"subscribe","channels":[1]}', "'channels.0' must be a string", null],
      ['{"type":"ping","ref":7}', "'ref' must be a string", null],
      [`{"type":"auth","token":"${token}"}`, 'This connection has its token already', null],
    ] as const;
    for (const [text] of wrong) client.send(text);
    client.socket.send(Buffer.from('{"type":"ping"}'), { binary: true });
    await until(async () => client.frames.length > wrong.length + 1);
    const expected = [...wrong.map(([, message, ref]) => [message, ref])];
    assert.equal(
      client.frames.slice(1).map(({ code, message, ref }) => [code, message, ref]),
      [...expected, ['A frame is JSON text, not binary', null]].map(each => ['bad_frame', ...each]),
    );
    // These are forgiven in time
    now += 10_000;
    for (let i = 0; i < 19; i++) client.send('no');
    await client.ask({ type: 'ping' });
    client.send('no');
    assert.equal(await client.closed(), { code: 4400, reason: 'too many bad frames' });
  });

  test('1,000 frames within 10 seconds, pings of both kinds among them; then 4429', async () => {
    const client = await welcomed();
    const say = (times: number) => {
      for (let i = 0; i < times; i++) client.send({ type: 'ping' });
    };
    say(600);
    await client.ask({ type: 'ping' });
    now += 10_000;
    say(997);
    const heard = new Promise(resolve => void client.socket.once('pong', resolve));
    client.socket.ping();
    await heard;
    client.socket.pong();
    await client.ask({ type: 'ping' });
    say(1);
    assert.equal(await client.closed(), { code: 4429, reason: 'too many frames' });
  });

  test('silent for 90 seconds: 4408; whatever is said is a sign of life', async () => {
    const [silent, pinging, asking] = [await welcomed(), await welcomed(), await welcomed()];
    now += 80_000;
    const heard = new Promise(resolve => void pinging.socket.once('pong', resolve));
    pinging.socket.ping();
    await Promise.all([heard, asking.ask({ type: 'ping' })]);
    now += 10_000;
    assert.equal(await silent.closed(), { code: 4408, reason: 'silent too long' });
    assert.ok(pinging.isOpen() && asking.isOpen());
    for (const client of [pinging, asking]) await client.end();
  });

  test('who subscribes more often than the token may call is told so', async () => {
    const folder = temporaryFolder();
    const few = await startPlatform(folder.path, {
      running: ['api', 'projections'],
      env: { RATE_DEFAULT: '3' },
      clock: () => now,
    });
    const client = await connect(few.base, { token: few.installed.token });
    const own = `workspace:${few.installed.workspaceId}`;
    const answers = [];
    for (let i = 0; i < 4; i++) answers.push(await client.subscribe(own));
    assert.equal(
      answers.map(({ type, code = null }) => [type, code]),
      [...Array(3).fill(['ack', null]), ['error', 'rate_limited']],
    );
    assert.equal(answers[3]!['details'], { policy: 'default', limit: 3, window_s: 60, retry_after_s: 20 });
    await client.end();
    await few.stop();
    folder.remove();
  });

  test('wrong tokens are counted against their address', async () => {
    const folder = temporaryFolder();
    const wary = await startPlatform(folder.path, {
      running: ['api', 'projections'],
      env: { RATE_AUTH: '2' },
    });
    const codes = [];
    for (let i = 0; i < 3; i++) codes.push((await (await connect(wary.base, { token: 'x' })).closed()).code);
    assert.equal(codes, [4401, 4401, 4429]);
    assert.is((await fetch(`${wary.base}/v1/user/me`)).status, 429);
    await wary.stop();
    folder.remove();
  });

  const connected = async () => {
    const [figure] = api.platform.areas.realtime.figures;
    return (await figure!.look())[0]![1];
  };

  test('a reader that takes nothing is let go, and nobody else waits for it', async () => {
    const stuck = await welcomed();
    const reading = await welcomed();
    await Promise.all([stuck.subscribe(channel), reading.subscribe(channel)]);
    stuck.socket.pause();
    const text = '長'.repeat(200);
    let recorded = 0;
    const isGone = async () => {
      const body = {
        events: Array.from({ length: 500 }, () => ({ key: text, text: `Strike ${recorded++}` })),
      };
      assert.is((await api.call('POST', '/v1/event/record-batch', { body })).status, 201);
      await until(async () => reading.told().length === recorded);
      return (await connected()) === 1;
    };
    await until(isGone, 'the end of the stuck reader');
    assert.ok(reading.isOpen());
    assert.equal(
      reading.told().map(({ seq }) => seq),
      Array.from({ length: recorded }, (_, i) => i + 1),
    );
    stuck.socket.resume();
    const { code } = await stuck.closed();
    assert.ok([4429, 1006].includes(code), 'told so, or cut where it read nothing');
    await reading.end();
  });
});
