import * as assert from 'uvu/assert';
import { HOUR } from '../../domain/time.js';
import type { Json } from '../json.js';
import { peopleOf } from '../people.js';
import { startPlatform, temporaryFolder, until, type Running } from '../platform.js';
import { suite } from '../suite.js';

suite('hours of replicas', test => {
  const folder = temporaryFolder();
  let now = Date.parse('2026-03-15T12:20:00Z');
  let api: Running;
  let id = '';

  const start = async (installed?: Running['installed']) => {
    api = await startPlatform(folder.path, {
      env: { SERVING_THREADS: '3', SCORER_THREADS: '1' },
      clock: () => now,
      ...(installed && { installed }),
    });
  };
  const restart = async (meanwhile: () => void) => {
    const { installed } = api;
    await api.stop();
    meanwhile();
    await start(installed);
  };
  test.before(() => start());
  test.after(async () => {
    await api.stop();
    folder.remove();
  });

  const one = async (): Promise<Json> => (await api.call('GET', `/v1/deployments/${id}`)).json.data;
  const charges = async (): Promise<Json[]> =>
    (await api.call('GET', '/v1/billing/ledger?kind=charge&per_page=100')).json.data.entries;
  const charged = (count: number) =>
    until(async () => (await charges()).length === count, `being charged ${count} times`);
  const ask = async (min: number) =>
    assert.is((await api.call('POST', `/v1/deployments/${id}/scale`, { body: { min, max: 3 } })).status, 202);
  const scale = async (min: number) => {
    await ask(min);
    await until(async () => {
      const { status: is, replicas } = await one();
      return is === 'deployed' && replicas.min === min;
    }, `${min} replicas`);
  };

  test('each replica beyond the first is charged for each hour that has begun', async () => {
    const made = await api.call('POST', '/v1/deployments', {
      body: { blueprint_uid: 'presage__nano', replicas: { min: 3, max: 3 } },
    });
    assert.is(made.status, 201);
    id = made.json.data.promotion_id;
    await charged(2);
    const [last] = await charges();
    assert.equal(
      [last.item, last.quantity, last.amount, last.reference],
      ['deployment.replica_hour', 1, '-0.010', { type: 'deployment', id }],
    );
    now += HOUR;
    await charged(4);
  });

  test('a restart charges no hour twice, and none in which nothing ran', async () => {
    await restart(() => undefined);
    now += HOUR;
    await charged(6);
    await restart(() => (now += 5 * HOUR));
    await charged(8);
  });

  test('without credits it goes back to what is free, goes on, and says so', async () => {
    const { commands } = api.platform.areas.billing;
    const operator = { ...peopleOf(api.platform).operator(), workspace: null };
    const { organizationId } = api.installed;
    const change = (amount: number) => commands.adjust(organizationId, { amount, note: null }, operator);
    await change(8 * 10 - 100_000);
    now += HOUR;
    const back = await until(async () => {
      const record = await one();
      return record.replicas.min === 1 && record.ready && record;
    }, 'being scaled back');
    assert.equal([back.status, back.replicas.max], ['deployed', 3]);
    assert.match(back.message, 'There are no credits for more than 1 ready replicas');
    assert.is((await charges()).length, 8);

    await change(10);
    await scale(2);
    await charged(9);
    await ask(3);
    assert.match(
      await until(async () => {
        const { message, replicas } = await one();
        return replicas.min === 2 && (message as string);
      }, 'being scaled back to what is paid for'),
      'no credits for more than 2',
    );
    const { events } = (await api.call('GET', `/v1/deployments/${id}/events?limit=100`)).json.data;
    const types = (events as { type: string }[]).map(({ type }) => type);
    assert.is(types.filter(type => type === 'DeploymentScaledBack').length, 2);
  });
});
