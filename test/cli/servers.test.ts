import { mkdirSync } from 'node:fs';
import * as assert from 'uvu/assert';
import { startNode, type TestNode } from '../eventstore-node/node.js';
import { until, withoutEarlierKeys } from '../platform.js';
import { skipped, suite } from '../suite.js';
import {
  account,
  dataFolder,
  endAll,
  get,
  presage,
  record,
  scored,
  serve,
  start,
  type Env,
} from './presage.js';

const { EVENTSTORE_URL, MONGODB_URL } = process.env;

/** Records one event for whom a bootstrap made, and waits for its score. */
async function recordAndScore(base: string, bootstrapped: string): Promise<void> {
  const who = account(bootstrapped);
  const id = await record(base, who, { key: 'news', text: 'Refinery fire halts exports' });
  await scored(base, who, id);
}

suite('presage with EventStoreDB and embedded read models', test => {
  let node: TestNode;
  let env: Env;
  test.before(async () => {
    node = await startNode();
    env = { DATA_DIR: dataFolder(), EVENTSTORE_URL: node.address };
  });
  test.after(() => {
    endAll();
    node.stop();
  });

  test('an empty server is left to bootstrap; commands go through the running platform', async () => {
    const running = await serve(env);
    await running.says('presage bootstrap');
    assert.not.match(running.said.stdout, /psg_live_/);
    const made = await presage(['bootstrap'], env);
    assert.is(made.code, 0, made.stderr);
    await recordAndScore(running.base, made.stdout);
    const doctor = await presage(['doctor'], env);
    assert.is(doctor.code, 0, doctor.stdout);
    assert.match(doctor.stdout, /ok +event store +EventStoreDB 23\.10\.6/);
    assert.match(doctor.stdout, /warning +configuration +one store is a server, the other is embedded/);
    assert.is((await running.stop()).code, 0);
  });

  test('and with it stopped', async () => {
    assert.match((await presage(['audit'], env)).stderr, /^10 facts\n$/);
    assert.is((await presage(['replay'], env)).code, 0);
    assert.is((await presage(['replay', '--verify'], env)).code, 0);
  });

  test('a server that is not there is told of in a line', async () => {
    const DATA_DIR = dataFolder();
    const away = { DATA_DIR, MONGODB_URL: 'mongodb://user:secret@127.0.0.1:1' };
    mkdirSync(DATA_DIR, { mode: 0o700 });
    const doctor = await presage(['doctor'], away);
    assert.is(doctor.code, 1);
    assert.match(doctor.stdout, /problem +platform +MongoDB at 127\.0\.0\.1:1 cannot be reached/);
    const served = await presage(['serve'], away);
    assert.is(served.code, 1);
    assert.match(served.stderr, /^presage: MongoDB at 127\.0\.0\.1:1 cannot be reached.*\n$/m);
    for (const { stdout, stderr } of [doctor, served]) {
      assert.not.match(stdout + stderr, /secret/);
      assert.not.match(stdout + stderr, /\n\s+at /);
    }
  });
});

const onServers = (): void =>
  suite('presage with EventStoreDB and MongoDB', test => {
    let node: TestNode | null = null;
    let env: Env;
    test.before(async () => {
      if (!EVENTSTORE_URL) node = await startNode();
      const MONGODB_DATABASE = `test_cli_${process.pid}_${Date.now() % 1e6}`;
      const url = EVENTSTORE_URL ?? node!.address;
      env = { DATA_DIR: dataFolder(), EVENTSTORE_URL: url, MONGODB_URL: MONGODB_URL!, MONGODB_DATABASE };
      if (EVENTSTORE_URL) await withoutEarlierKeys(env, env['DATA_DIR']!);
    });
    test.after(() => {
      endAll();
      node?.stop();
    });

    test('roles in processes of their own, commands beside them, an orderly end', async () => {
      const made = await presage(['bootstrap'], env);
      assert.is(made.code, 0, made.stderr);
      const workers = start(['serve', '--role', 'projections,workers'], env);
      await workers.says('Presage runs');
      const apis = await Promise.all([serve(env, '--role', 'api'), serve(env, '--role', 'api')]);
      for (const { base } of apis) {
        await until(
          async () => (await get(base, account(made.stdout), '/v1/event/streams')).ok,
          'the account',
        );
        await recordAndScore(base, made.stdout);
      }
      const doctor = await presage(['doctor'], env);
      assert.is(doctor.code, 0, doctor.stdout);
      assert.match(doctor.stdout, /ok +event store +EventStoreDB \d+\.[\s\S]*ok +read models +MongoDB \d+\./);
      const { code, stderr } = await presage(['replay'], env);
      assert.is(code, 0, stderr);
      for (const { base } of apis) await recordAndScore(base, made.stdout);
      const verified = await presage(['replay', '--verify'], env);
      assert.is(verified.code, 0, verified.stdout + verified.stderr);
      for (const process of [...apis, workers]) assert.is((await process.stop()).code, 0);
    });
  });

if (MONGODB_URL) onServers();
else skipped('presage with EventStoreDB and MongoDB', 'MONGODB_URL is not set');
