import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import * as assert from 'uvu/assert';
import { presage } from '../cli/presage.js';
import type { Json } from '../json.js';
import { until } from '../platform.js';
import { suite } from '../suite.js';
import { feedServer, poll, type Feed } from './feeds.js';
import { item } from './inbox.js';
import { LOCAL } from './receivers.js';
import { act, counts, hmac, hookPath, senderTo, source, taken, type Sender } from './sources.js';
import { connect, type Socket } from './socket.js';
import { expected, openWorld, places, refused, tokenOf, type World } from './world.js';

// Secrets of sources are shown once: the key of a webhook when it is made or rotated, those of a poll never
// (open-parts 6.1, 32.5, 32.6). No read, no notification, no frame, no audit and no file holds one.

suite('acceptance: secrets of sources', test => {
  let world: World;
  let sender: Sender;
  let feed: Feed;
  let socket: Socket;
  let made: Json;
  /** The key of the webhook, after it was rotated. */
  let key = '';
  const secrets: string[] = ['bearer-of-polls', 'header-of-polls', 'word-of-polls', 'named-of-polls'];
  const hidden = (text: string, where: string): void => {
    for (const each of secrets) {
      assert.is(text.includes(each), false, `${where} holds ${each}`);
      const base64 = Buffer.from(`user:${each}`).toString('base64');
      assert.is(text.includes(base64), false, `${where} holds ${each} for basic`);
    }
  };
  test.before(async () => {
    world = await openWorld(LOCAL);
    sender = senderTo(world);
    feed = await feedServer();
    feed.reply(() => ({ body: [] }));
    socket = await connect(
      world.running.base,
      (await tokenOf(world.api, ['workspaces.read', 'data.read', 'signals.read'])).token,
    );
    const { uid } = expected(await world.api.get<Json>('/v1/user/me')).data;
    await socket.subscribe(`workspace:${world.running.installed.workspaceId}`, `user:${uid}`);
  });
  test.after(async () => {
    socket.close();
    feed.close();
    await world.close();
  });

  test('the key of a webhook is in the answers to create and rotate alone', async () => {
    const sent = {
      method: 'POST',
      path: '/v1/ingestion/connect/create-event',
      body: { mode: 'push', event_config: { stream: 'secret' } },
      headers: { 'idempotency-key': 'hook-1' },
    };
    made = expected(await world.api.send<Json>(sent)).data;
    secrets.push(made.webhook_secret);
    const again = await world.api.send<Json>(sent);
    assert.is(expected(again).data.source_id, made.source_id);
    assert.is(again.headers['idempotency-replayed'], 'true');
    hidden(again.text, 'a repeated create');
    const rotated = await act(world.api, made, 'rotate-secret', {});
    key = expected(rotated).data.webhook_secret;
    secrets.push(key);
    const unsigned = await sender.raw(hookPath(made), '{"text":"a"}', {
      'x-signature': secrets[4]!,
    });
    refused(unsigned, 401);
    hidden(unsigned.text, 'a refusal');
    const raw = '{"text":"signed"}';
    const headers = { 'x-signature': hmac(key, raw) };
    assert.equal(counts(await sender.raw(hookPath(made), raw, headers)), taken(1));
  });

  test('what a poll signs in with is sent, and shown as stars', async () => {
    const auths = [
      { type: 'bearer', token: 'bearer-of-polls' },
      { type: 'basic', username: 'user', password: 'word-of-polls' },
      { type: 'header', name: 'x-key', value: 'named-of-polls' },
    ];
    for (const auth of auths) {
      const headers = { 'x-other': 'header-of-polls' };
      const { source_id } = await poll(world.api, { url: `${feed.url}/${auth.type}`, auth, headers });
      const found = await source(world.api, { source_id });
      hidden(JSON.stringify(found), 'the source');
      assert.match(JSON.stringify(found), '***');
      const request = await until(async () => feed.got.find(each => each.path === `/${auth.type}`), 'a poll');
      assert.is(request.headers['x-other'], 'header-of-polls');
      if (auth.type === 'bearer') assert.is(request.headers.authorization, 'Bearer bearer-of-polls');
      if (auth.type === 'header') assert.is(request.headers['x-key'], 'named-of-polls');
      if (auth.type === 'basic') {
        const basic = Buffer.from('user:word-of-polls').toString('base64');
        assert.is(request.headers.authorization, `Basic ${basic}`);
      }
      feed.reply(() => ({ status: 500, body: { header: request.headers } }));
    }
  });

  test('what a connector does not know is named and not kept', async () => {
    const create = (connector_id: string, config: object) =>
      world.api.post<Json>('/v1/ingestion/sources', { connector_id, name: 'Odd', config });
    secrets.push('odd-of-hooks', 'odd-of-polls', 'extra-of-polls');
    const hook = await create('webhook', { webhook_secret: 'odd-of-hooks' });
    hidden(JSON.stringify(expected(hook, 201).data.config), 'a webhook source');
    assert.is(hook.headers['x-ignored-fields'], 'config.webhook_secret');
    const auth = { type: 'bearer', token: 'bearer-of-polls', extra: 'extra-of-polls' };
    const polled = await create('rest_poll', { url: `${feed.url}/odd`, api_key: 'odd-of-polls', auth });
    expected(polled, 201);
    hidden(polled.text, 'a source that polls');
    assert.match(String(polled.headers['x-ignored-fields']), 'config.api_key');
    assert.match(String(polled.headers['x-ignored-fields']), 'config.auth.extra');
  });

  test('what is wrong of one is not repeated', async () => {
    const faulty = (auth: object, headers: object = {}) =>
      world.api.post<Json>('/v1/ingestion/connect/create-event', {
        mode: 'poll',
        event_config: { url: feed.url, auth, headers },
      });
    const answers = {
      token: await faulty({ type: 'bearer', token: 'wrong\nword' }),
      password: await faulty({ type: 'basic', username: 'user', password: 4711_0815 }),
      value: await faulty({ type: 'header', name: 'x', value: ['wrong word'] }),
      'x-other': await faulty({ type: 'none' }, { 'x-other': 'wrong\r\nword' }),
    };
    for (const [name, answer] of Object.entries(answers)) {
      assert.match(places(answer).join(' '), name);
      for (const word of ['wrong', '47110815']) assert.not(answer.text.includes(word), answer.text);
    }
  });

  test('no read holds one', async () => {
    const workspace = world.running.installed.workspaceId;
    for (let i = 0; i < 21; i++) {
      const raw = '{';
      refused(await sender.raw(hookPath(made), raw, { 'x-signature': hmac(key, raw) }), 400);
    }
    hidden(JSON.stringify(await item(world.api, 'ingestion.source_failing')), 'the notification');
    const one = `/v1/ingestion/sources/${made.source_id}`;
    for (const path of [
      '/v1/ingestion/sources?per_page=100',
      one,
      `${one}/deliveries`,
      '/v1/ingestion/jobs',
      '/v1/ingestion/executions',
      '/v1/notifications?per_page=100',
      `/v1/workspace/${workspace}/audit?per_page=100`,
      '/v1/ingestion/connectors',
    ]) {
      const { text } = await world.api.get<Json>(path);
      assert.ok(text.length > 50, path);
      hidden(text, path);
    }
    await socket.settled();
    assert.ok(socket.events().length > 0, 'frames to look through');
    hidden(JSON.stringify(socket.frames), 'the frames');
  });

  test('nor does the audit of the operator or any file', async () => {
    await world.restart(async () => {
      const env = { DATA_DIR: world.folder, LOG_LEVEL: 'trace', ...LOCAL };
      for (const args of [['audit'], ['audit', '--ndjson'], ['doctor'], ['replay', '--verify']]) {
        const { stdout, stderr, code } = await presage(args, env);
        assert.is(code, 0, stderr);
        hidden(stdout + stderr, args.join(' '));
      }
      const files = readdirSync(world.folder, { recursive: true, withFileTypes: true });
      const all = files.filter(file => file.isFile()).map(file => join(file.parentPath, file.name));
      assert.ok(all.length > 3, 'files to look through');
      for (const name of all) hidden(readFileSync(name, 'latin1'), name);
    });
    const raw = '{"text":"after the restart"}';
    const headers = { 'x-signature': hmac(key, raw) };
    assert.equal(counts(await sender.raw(hookPath(made), raw, headers)), taken(1));
  });
});
