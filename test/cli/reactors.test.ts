import { join } from 'node:path';
import * as assert from 'uvu/assert';
import { embeddedReadModels } from '../../adapters/embedded/read-models.js';
import type { Fact } from '../../domain/fact.js';
import type { ReactorsShown } from '../../cli/jobs/reactors.js';
import { failedAgain, newlySetAside, SET_ASIDE } from '../../workers/engine/set-aside-facts.js';
import { until } from '../platform.js';
import { suite } from '../suite.js';
import { accountOf, dataFolder, endAll, get, presage, record, serve } from './presage.js';

const FAILED_AT = Date.UTC(2026, 0, 31, 12);

/** What a reactor that failed at facts again and again leaves in the data folder. */
async function park(folder: string, reactor: string, facts: readonly Fact[]): Promise<void> {
  const models = embeddedReadModels(join(folder, 'models.db'));
  const projection = `reactor_${reactor}`;
  const put = facts.map(fact => {
    const failure = { now: FAILED_AT, error: 'no such model', passing: false, most: 1 };
    return failedAgain(newlySetAside(reactor, fact, FAILED_AT), failure);
  });
  await models.prepare([SET_ASIDE]);
  await models.commit({
    ...{ projection, checkpoint: await models.checkpoint(projection), sweeps: [] },
    changes: [{ collection: SET_ASIDE.name, put, remove: [] }],
  });
  await models.close();
}

suite('presage reactors', test => {
  test.after(endAll);

  test('shows what is parked and lets it be tried again, beside a platform and without', async () => {
    const DATA_DIR = dataFolder();
    const run = (...args: string[]) => presage(args, { DATA_DIR });
    const listed = async () => JSON.parse((await run('reactors', '--json')).stdout) as ReactorsShown;
    const first = await serve({ DATA_DIR });
    const who = await accountOf(first);
    for (const text of ['Storm', 'Strike'])
      await record(first.base, who, { key: 'news', text, occurred_at: '2026-01-01T00:00:00Z' });
    await first.stop();
    assert.equal((await run('reactors')).stdout, 'parked facts: 0; that wait to be tried again: 0\n');
    assert.match((await run('doctor')).stdout, /ok +reactors +no fact is parked/);

    const audit = await run('audit', '--ndjson', '--type', 'EventRecorded');
    const facts = audit.stdout
      .trim()
      .split('\n')
      .map(line => JSON.parse(line) as Fact);
    await park(DATA_DIR, 'scoring', facts);
    const [storm] = facts as [Fact, Fact];
    const { parked, facts: found } = await listed();
    assert.is(parked, 2);
    assert.equal(found[0], {
      reactor: 'scoring',
      fact_id: storm.id,
      position: storm.position,
      journal: storm.journal,
      revision: 0,
      type: 'EventRecorded',
      workspace_id: who.workspace,
      attempts: 1,
      first_failed_at: '2026-01-31T12:00:00.000Z',
      last_failed_at: '2026-01-31T12:00:00.000Z',
      error: 'no such model',
    });
    assert.match((await run('reactors')).stdout, /scoring .*no such model\n[\s\S]*parked facts: 2;/);
    const doctor = await run('doctor');
    assert.is(doctor.code, 0, doctor.stdout);
    assert.match(
      doctor.stdout,
      /warning +reactors +parked facts: 2 by scoring; the oldest, EventRecorded at /,
    );
    assert.match(
      doctor.stdout,
      /since 2026-01-31T12:00:00.000Z: no such model\n +-> .*presage reactors retry/,
    );

    // Asked for while nobody is there to do it: it is done at the next start
    const alone = await run('reactors', 'retry', '--fact', storm.id, '--json');
    assert.equal(JSON.parse(alone.stdout), { retrying: { scoring: 1 } });
    const second = await serve({ DATA_DIR });
    await until(async () => (await listed()).parked === 1, 'the one that was asked for has gone');
    const ready = (await (await get(second.base, who, '/ready')).json()) as Record<string, unknown>;
    assert.is(ready['status'], 'ready');
    assert.is((ready['checks'] as Record<string, string>)['reactors'], 'parked facts: 1');
    assert.is(ready['parked_facts'], 1);
    assert.equal((await run('reactors', 'retry', '--reactor', 'scoring')).stdout, 'scoring tries again: 1\n');
    await until(async () => (await listed()).parked === 0, 'all have gone');
    assert.equal((await run('reactors', 'retry')).stdout, 'no fact is parked\n');
    await second.stop();
  });

  test('what is not parked cannot be asked for', async () => {
    const DATA_DIR = dataFolder();
    const none = await presage(['reactors'], { DATA_DIR });
    assert.is(none.code, 2);
    const running = await serve({ DATA_DIR });
    const { code, stderr } = await presage(['reactors', 'retry', '--fact', 'nothing'], { DATA_DIR });
    assert.is(code, 2);
    assert.match(stderr, /no such fact is parked/);
    await running.stop();
  });
});
