import * as assert from 'uvu/assert';
import { accountOf, dataFolder, endAll, get, serve, type Account, type Listening } from '../cli/presage.js';
import type { Json } from '../json.js';
import { until } from '../platform.js';
import { randomOf, seedFrom } from '../random.js';
import { suite } from '../suite.js';
import { inspect } from './inspect.js';

const ROUNDS = 4;
const MOVING = ['deploying', 'scaling', 'degraded', 'retiring'];

suite('deployments, killed at any point', test => {
  const DATA_DIR = dataFolder();
  const random = randomOf(seedFrom('DEPLOYMENTS_SEED'));
  let running: Listening;
  let who: Account;
  const start = async (): Promise<void> => {
    running = await serve({ DATA_DIR, SERVING_THREADS: '1' });
  };
  test.before(async () => {
    await start();
    who = await accountOf(running);
  });
  test.after(() => endAll());

  const post = async (path: string, body: object): Promise<void> => {
    const headers = {
      authorization: `Bearer ${who.token}`,
      'x-workspace-id': who.workspace,
      'content-type': 'application/json',
    };
    // The process may be gone before it answers
    await fetch(running.base + path, { method: 'POST', headers, body: JSON.stringify(body) }).catch(
      () => null,
    );
  };
  const read = async (path: string): Promise<Json> => (await get(running.base, who, path)).json();
  const all = async (): Promise<Json[]> => (await read('/v1/deployments?limit=100')).deployments;

  /** Something that a user may do with what there is. */
  const deed = (deployments: readonly Json[]): (() => Promise<void>) => {
    const alive = deployments.filter(({ status }) => status !== 'retired');
    const slug = random.pick(['nano', 'mini']);
    const deploying = () => post('/v1/models/deploy-foundation', { family: 'presage', slug });
    if (alive.length === 0) return deploying;
    const { promotion_id: id } = random.pick(alive);
    const max = 1 + random.below(3);
    return random.pick([
      deploying,
      () => post(`/v1/deployments/${id}/scale`, { min: 1, max }),
      () => post(`/v1/deployments/${id}/unpromote`, { reason: 'a test' }),
      () => post(`/v1/deployments/${id}/retry`, {}),
    ]);
  };

  for (let round = 1; round <= ROUNDS; round++)
    test(`round ${round}: what was under way comes to its end after the next start`, async () => {
      const found = await all();
      const deeds = Array.from({ length: 3 }, () => deed(found)());
      const under = Promise.allSettled(deeds);
      // Killed as soon as one of them has ended, or before any has: the others are at whatever they are
      const first = random.pick([deeds[0]!, deeds[1]!, deeds[2]!, Promise.resolve()]);
      await first;
      await running.stop('SIGKILL');
      await under;
      await start();
      const settled = await until(async () => {
        const found = await all();
        return found.every(({ status }) => !MOVING.includes(status)) && found;
      }, 'all deployments at rest');
      for (const slug of ['nano', 'mini']) {
        const alive = settled.filter(each => each.slug === slug && each.status !== 'retired');
        assert.ok(alive.length <= 1, JSON.stringify(alive));
        for (const { status, error } of alive) assert.is(status, 'deployed', JSON.stringify(error));
      }
      for (const { promotion_id: id, status } of settled) {
        const { events } = (await read(`/v1/deployments/${id}/events?limit=100`)).data;
        assert.equal(
          events.map(({ from }: Json) => from),
          [null, ...events.map(({ to }: Json) => to)].slice(0, -1),
          'each change begins where the one before ended',
        );
        assert.is(events.at(-1).to, status);
      }
    });

  test('the documents are as a replay of all facts makes them', async () => {
    await running.stop();
    const { faults } = await inspect(DATA_DIR);
    // Nothing but deployments is in this log
    assert.equal(
      faults.filter(fault => !fault.endsWith('has no documents')),
      [],
    );
  });
});
