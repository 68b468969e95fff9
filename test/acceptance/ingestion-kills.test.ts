import * as assert from 'uvu/assert';
import { accountOf, dataFolder, endAll, serve, type Account, type Listening } from '../cli/presage.js';
import type { Json } from '../json.js';
import { suite } from '../suite.js';
import { hmac } from './sources.js';

// Deliveries to a platform that is killed among them: each item with an id is there once (specification 4.7;
// open-parts 32.4).

suite('acceptance: redeliveries across kills', test => {
  const env = { DATA_DIR: dataFolder(), LOG_LEVEL: 'silent' };
  /** The platform, or the next one where this was killed. */
  let up: Promise<Listening>;
  let who: Account;
  test.before(async () => {
    up = serve(env);
    who = await accountOf(await up);
  });
  test.after(() => endAll());

  const call = async (method: string, path: string, body?: object, signature?: string): Promise<Json> => {
    const { base } = await up;
    const answer = await fetch(base + path, {
      method,
      headers: {
        ...(signature === undefined && {
          authorization: `Bearer ${who.token}`,
          'x-workspace-id': who.workspace,
        }),
        ...(signature !== undefined && { 'x-signature': signature }),
        'content-type': 'application/json',
      },
      ...(body && { body: JSON.stringify(body) }),
    });
    return { status: answer.status, ...((await answer.json()) as object) };
  };

  test('a sender that goes on until each is answered has each event once', async () => {
    const event_config = { stream: 'killed', id_path: 'id' };
    const { data } = await call('POST', '/v1/ingestion/connect/create-event', { mode: 'push', event_config });
    const path = `/v1/ingestion/webhooks/${data.source_id}/events`;
    const deliver = async (id: number): Promise<Json> => {
      const body = { id, text: `event ${id}` };
      const signature = hmac(data.webhook_secret, JSON.stringify(body));
      await up;
      const answer = await call('POST', path, body, signature).catch(() => null);
      if (answer?.status === 200) return answer.data;
      if (answer !== null && answer.status < 500) throw new Error(JSON.stringify(answer));
      await new Promise(resolve => setTimeout(resolve, 20));
      return deliver(id);
    };
    const all: Promise<Json>[] = [];
    for (let round = 0; round < 2; round++) {
      const some = Array.from({ length: 50 }, (_, i) => deliver(round * 50 + i));
      all.push(...some);
      await Promise.any(some);
      const running = await up;
      up = running.stop('SIGKILL').then(() => serve(env));
    }
    for (const { accepted, duplicates } of await Promise.all(all)) assert.is(accepted + duplicates, 1);
    const { events } = (await call('GET', '/v1/event/streams/killed/events?limit=500')).data;
    assert.is(events.length, 100);
    assert.is(new Set(events.map(({ name }: Json) => name)).size, 100);
    assert.is((await (await up).stop()).code, 0);
  });
});
