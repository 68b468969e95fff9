import * as assert from 'uvu/assert';
import { memoryReadModels } from '../adapters/memory-read-models.js';
import { memoryKeyValue } from '../adapters/memory.js';
import { checkLog, WrongLog } from '../areas/same-log.js';
import { readConfig } from '../config.js';
import { START } from '../domain/fact.js';
import { applyPage } from '../projections/engine/apply.js';
import { checkpointName, collectionsOf } from '../projections/engine/projection.js';
import { eventsProjection as p } from '../projections/events/projection.js';
import { lease } from '../workers/engine/lease.js';
import { checkpointOf } from '../workers/engine/reactor.js';
import { rejection } from './contract/opened.js';
import { world } from './projections/world.js';
import { suite } from './suite.js';

const SERVERS = { EVENTSTORE_URL: 'esdb://one:2113', MONGODB_URL: 'mongodb://two:27017' };

suite('read models on a server beside another log', test => {
  const reactor = checkpointOf({ name: 'scoring' });

  const logOf = async (texts: readonly string[]) => {
    const { store, commands, context } = await world();
    for (const text of texts)
      await commands.record('w', { key: 'k', text, occurredAt: null, details: {} }, context('w'));
    return store;
  };
  /** Read models filled from a log of three events. */
  const filled = async () => {
    const models = memoryReadModels();
    const kv = memoryKeyValue(Date.now);
    const first = await logOf(['one', 'two', 'three']);
    await models.prepare(collectionsOf(p, 0));
    const page = await first.page(START, 10);
    await applyPage(p, models, 0, page);
    const checkpoint = page.at(-1)!.position;
    await models.commit({ projection: reactor, checkpoint, changes: [], sweeps: [] });
    const check = async (events: typeof first, anyLog: boolean) => {
      const stores = { events, models, kv, shared: true };
      const failed = (error: unknown) => assert.unreachable(String(error));
      const config = readConfig(SERVERS);
      const marks = await checkLog({
        stores,
        projections: [p],
        reactors: ['scoring'],
        config,
        anyLog,
        failed,
      });
      return marks;
    };
    const marks = await check(first, false);
    marks.seen(page);
    await marks.close();
    const places = async () => [
      await models.checkpoint(checkpointName(p, 0)),
      await models.checkpoint(reactor),
    ];
    return { models, kv, first, checkpoint, check, places };
  };

  test('a replay of all drops what came from it, and reactors begin at its first fact', async () => {
    const { models, check, places } = await filled();
    const other = await logOf(['a', 'b', 'c', 'd', 'e']);
    assert.instance(await rejection(check(other, false)), WrongLog);
    await (await check(other, true)).close();
    assert.equal(await places(), [START, START]);
    const names = collectionsOf(p, 0).map(({ name }) => name);
    assert.equal(
      (await models.collections()).filter(name => names.includes(name)),
      [],
    );
    await (await check(other, false)).close();
  });

  test('a replay of all leaves everything where the log is the same', async () => {
    const { first, check, checkpoint, places } = await filled();
    await (await check(first, true)).close();
    assert.equal(await places(), [checkpoint, checkpoint]);
  });

  test('it is refused while a process is at work, and nothing is dropped', async () => {
    const { kv, check, checkpoint, places } = await filled();
    const held = lease(kv, 'reactor scoring', { holder: 'another', ttlMs: 60_000, clock: Date.now });
    await held.acquire();
    const refused = await rejection(check(await logOf(['a']), true));
    assert.match(refused.message, /a process is at work \(reactor scoring\).*stop all of them/);
    assert.equal(await places(), [checkpoint, checkpoint]);
  });

  test('a reactor that stands behind the end of the log is no reactor of it', async () => {
    const { models, first, check, checkpoint } = await filled();
    await models.commit({ projection: reactor, checkpoint: checkpoint + 1, changes: [], sweeps: [] });
    const refused = await rejection(check(first, false));
    assert.match(refused.message, /ends at .* before the one that .* was filled from/);
  });
});
