import { setTimeout as pause } from 'node:timers/promises';
import * as assert from 'uvu/assert';
import { operate } from '../cli/operate.js';
import {
  accountOf,
  dataFolder,
  endAll,
  presage,
  serve,
  type Account,
  type Listening,
} from '../cli/presage.js';
import type { Json } from '../json.js';
import { until } from '../platform.js';
import { randomOf, seedFrom } from '../random.js';
import { answering, echoing, idOf, receiver, verified, type Received } from '../receivers.js';
import { suite } from '../suite.js';

const ROUNDS = Number(process.env['KILL_ROUNDS'] ?? 3);
const INVITED = 'bob@example.org';
const CHANNELS = '/v1/notifications/channels';
type Told = { readonly data: { readonly data: { readonly invitation_id: string } } };

suite('the process killed while it delivers', test => {
  let hook: Awaited<ReturnType<typeof receiver>>;
  test.before.each(async () => {
    hook = await receiver();
  });
  test.after.each(async () => {
    endAll();
    await hook.close();
  });

  test('every notification arrives, under one id however often', async () => {
    const random = randomOf(seedFrom('KILL_SEED'));
    const env = {
      DATA_DIR: dataFolder(),
      OUTGOING_ALLOW: '127.0.0.1',
      ...{ RATE_DEFAULT: '1000000', RATE_HEAVY: '1000000', LOG_LEVEL: 'warn' },
    };
    const taken = new Set<string>();
    let running = await serve(env);
    const ann = await accountOf(running);
    const bob = await invitee(running, env, ann);
    const made = await ask(running, bob, 'POST', CHANNELS, { type: 'webhook', target: hook.url });
    assert.is(made.data.status, 'active');
    const { channel_id: channel, secret } = made.data as { channel_id: string; secret: string };
    // Half of all first attempts fail, and each answer takes its time
    const seen = new Set<string>();
    hook.answers((response, received) => {
      const id = idOf(received);
      const isRefused = !seen.has(id) && random.chance(0.5);
      seen.add(id);
      if (!isRefused) taken.add(id);
      setTimeout(() => answering(isRefused ? 503 : 200)(response, received), random.below(40));
    });

    const invited = new Set<string>();
    for (let round = 0; round < ROUNDS; round++) {
      const inviting = invite(running, ann, invited);
      await pause(150 + random.below(400));
      assert.is(running.child.exitCode, null, 'it runs until it is killed');
      const { stderr } = await running.stop('SIGKILL');
      assert.not.match(stderr, /"level":"(error|fatal)"/);
      await inviting;
      running = await serve(env);
    }
    assert.ok(invited.size > ROUNDS, 'there was load');

    const told = (): Map<string, Set<string>> => {
      const ids = new Map<string, Set<string>>();
      for (const message of hook.deliveries()) {
        const { invitation_id: of } = (verified(secret, message) as Told).data.data;
        ids.set(of, (ids.get(of) ?? new Set()).add(idOf(message)));
      }
      return ids;
    };
    const path = `${CHANNELS}/${channel}/deliveries?per_page=100`;
    const open = async () => (await ask(running, bob, 'GET', `${path}&status=waiting`)).data.total as number;
    await until(async () => [...invited].every(each => told().has(each)), 'every invitation');
    await until(async () => (await open()) === 0, 'the end of all deliveries');
    const ids = told();
    for (const [of, its] of ids) assert.is(its.size, 1, `${of} came under several ids`);
    for (const [id] of [...ids.values()]) assert.ok(taken.has(id!), `${id} was never taken`);
    const all = (await ask(running, bob, 'GET', path)).data.total as number;
    assert.is(all, ids.size, 'as many deliveries as notifications');
    const messages = hook.deliveries();
    console.log(
      JSON.stringify({ rounds: ROUNDS, told: ids.size, sent: messages.length, twice: twice(messages) }),
    );

    // Built anew from the log nothing waits, and nothing is sent again
    for (const output of await operate(env.DATA_DIR, 'replay', { projection: null, verify: true }))
      assert.ok(output.kind === 'progress' || output.kind === 'result', JSON.stringify(output));
    await operate(env.DATA_DIR, 'replay', { projection: 'channels', verify: false });
    assert.equal([(await ask(running, bob, 'GET', path)).data.total, await open()], [all, 0]);
    await ask(running, ann, 'GET', '/v1/workspace');
    hook.answers(echoing);
    assert.is((await ask(running, bob, 'POST', `${CHANNELS}/${channel}/test`)).data.ok, true);
    assert.is((await running.stop()).code, 0);
    assert.is(hook.deliveries().length, messages.length + 1);
  });
});

/** How many ids were taken more than once. */
function twice(messages: readonly Received[]): number {
  const counts = new Map<string, number>();
  for (const message of messages) counts.set(idOf(message), (counts.get(idOf(message)) ?? 0) + 1);
  return [...counts.values()].filter(count => count > 1).length;
}

/** Makes workspaces and invites to each, until nobody answers; notes what was acknowledged. */
async function invite(running: Listening, ann: Account, invited: Set<string>): Promise<void> {
  for (;;)
    try {
      const { workspace_id: workspace } = (await ask(running, ann, 'POST', '/v1/workspace', { name: 'W' }))
        .data;
      const body = { email: INVITED, role: 'viewer' };
      const made = await ask(running, ann, 'POST', `/v1/workspace/${workspace}/invitations`, body);
      invited.add(made.data.invitation_id as string);
    } catch (error) {
      if (error instanceof Refused) throw error;
      return;
    }
}

class Refused extends Error {}

async function ask(
  { base }: Listening,
  { token, workspace }: Account,
  method: string,
  path: string,
  body?: unknown,
): Promise<Json> {
  const response = await fetch(base + path, {
    method,
    headers: {
      authorization: `Bearer ${token}`,
      'x-workspace-id': workspace,
      ...(body !== undefined && { 'content-type': 'application/json' }),
    },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
  const text = await response.text();
  if (!response.ok) throw new Refused(`${method} ${path}: ${response.status} ${text}`);
  return JSON.parse(text) as Json;
}

/** Somebody with an account of their own. */
async function invitee(running: Listening, env: { DATA_DIR: string }, ann: Account): Promise<Account> {
  assert.is(running.child.exitCode, null);
  const { stdout, stderr } = await presage(
    ['user', 'create', '--email', INVITED, '--name', 'Bob', '--json'],
    env,
  );
  const token = /psg_live_\w+/.exec(stdout)?.[0];
  assert.ok(token, stdout + stderr);
  return { token: token!, workspace: ann.workspace };
}
