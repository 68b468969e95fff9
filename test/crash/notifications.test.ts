import { EventSource } from 'eventsource';
import * as assert from 'uvu/assert';
import { newAccount } from '../cli/operate.js';
import { accountOf, dataFolder, endAll, get, serve, type Account, type Listening } from '../cli/presage.js';
import type { Json } from '../json.js';
import { until } from '../platform.js';
import { randomOf, seedFrom } from '../random.js';
import { suite } from '../suite.js';
import { inspect } from './inspect.js';

const KILLS = 3;
const INVITED_EACH = 15;
const RATES = { RATE_DEFAULT: '1000000', RATE_HEAVY: '1000000' };

/** Somebody is invited again and again while the platform is killed; a real EventSource listens all along. */
suite('notifications, killed at any point', test => {
  const DATA_DIR = dataFolder();
  const random = randomOf(seedFrom('NOTIFICATIONS_SEED'));
  let running: Listening;
  let ann: Account;
  let bob: Account;
  let source: EventSource;
  const heard = new Map<string, string>();
  const twice: string[] = [];
  let resets = 0;
  const invited = new Set<string>();

  const start = async (port = '0'): Promise<void> => {
    running = await serve({ DATA_DIR, PORT: port, SERVING_THREADS: '1', ...RATES });
  };
  test.before(async () => {
    await start();
    ann = await accountOf(running);
    bob = await newAccount(DATA_DIR, 'bob@example.org');
    source = new EventSource(`${running.base}/v1/notifications/stream`, {
      fetch: (url, init) =>
        fetch(url, { ...init, headers: { ...init.headers, authorization: `Bearer ${bob.token}` } }),
    });
    source.addEventListener('notification', ({ data, lastEventId }) => {
      if (heard.has(lastEventId)) twice.push(lastEventId);
      heard.set(lastEventId, (JSON.parse(data) as { data: { invitation_id: string } }).data.invitation_id);
    });
    source.addEventListener('reset', () => resets++);
    await new Promise(resolve => source.addEventListener('open', resolve, { once: true }));
  });
  test.after(() => {
    source.close();
    endAll();
  });

  const call = async (
    method: string,
    path: string,
    body?: object,
    { token, workspace } = ann,
  ): Promise<Json> => {
    const headers = {
      authorization: `Bearer ${token}`,
      'x-workspace-id': workspace,
      'content-type': 'application/json',
    };
    const answer = await fetch(running.base + path, {
      method,
      headers,
      ...(body && { body: JSON.stringify(body) }),
    });
    return answer.json();
  };
  /** An invitation that is taken back, so that the next one can be made. */
  async function invite(): Promise<void> {
    const path = `/v1/workspace/${ann.workspace}/invitations`;
    const { data } = await call('POST', path, { email: 'bob@example.org', role: 'viewer' });
    if (data) invited.add(data.invitation_id);
    const open: Json[] = (await call('GET', `${path}?per_page=100`)).data.invitations;
    for (const { invitation_id } of open.filter(({ status }) => status === 'pending')) {
      // Once it is taken back nobody can know any more whom it was for; what is read takes in no next one
      const told = await until(async () =>
        (await inFeed()).find(({ data }) => data.invitation_id === invitation_id),
      );
      await call('POST', `/v1/notifications/${told.notification_id}/read`, undefined, bob);
      await call('DELETE', `${path}/${invitation_id}`);
    }
  }
  const inFeed = async (): Promise<Json[]> => {
    const feed: Json = await (await get(running.base, bob, '/v1/notifications?per_page=100')).json();
    return feed.data.notifications;
  };

  for (let kill = 1; kill <= KILLS; kill++)
    test(`kill ${kill}: invitations go on behind it`, async () => {
      const { port } = new URL(running.base);
      const last = 1 + random.below(INVITED_EACH - 1);
      for (let i = 1; i < INVITED_EACH; i++) {
        if (i !== last) await invite();
        else {
          const under = invite().catch(() => undefined);
          await new Promise(resolve => setTimeout(resolve, random.below(30)));
          await running.stop('SIGKILL');
          await under;
          await start(port);
        }
      }
    });

  test('every invitation that was acknowledged was told of once, and every one was heard', async () => {
    const told: Json[] = await until<Json[]>(async () => {
      const found = await inFeed();
      return [...invited].every(id => found.some(({ data }) => data.invitation_id === id)) && found;
    }, 'all notifications');
    const ids = told.map(({ data }) => data.invitation_id as string);
    assert.is(new Set(ids).size, ids.length, 'nothing was told twice');
    for (const { count, kind } of told) assert.equal([kind, count], ['workspace.invitation', 1]);
    await until(async () => ids.every(id => [...heard.values()].includes(id)), 'all that was told was heard');
    assert.equal([...heard.values()].sort(), ids.sort());
    assert.equal(twice, []);
    assert.is(resets, 0);
  });

  test('the documents are as a replay of all facts makes them', async () => {
    await running.stop();
    const { faults } = await inspect(DATA_DIR);
    assert.equal(
      faults.filter(fault => !fault.endsWith('has no documents')),
      [],
    );
  });
});
