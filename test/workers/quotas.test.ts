import { randomUUID } from 'node:crypto';
import * as assert from 'uvu/assert';
import { memoryReadModels } from '../../adapters/memory-read-models.js';
import { memoryEventStore } from '../../adapters/memory.js';
import { handler } from '../../commands/engine/handle.js';
import type { Fact } from '../../domain/fact.js';
import { limitedTo } from '../../domain/billing/plans.js';
import { applyPage } from '../../projections/engine/apply.js';
import { collectionsOf } from '../../projections/engine/projection.js';
import { reader } from '../../projections/engine/reader.js';
import { usageProjection } from '../../projections/usage/projection.js';
import { usageQueries } from '../../projections/usage/queries.js';
import { quotaRounds } from '../../workers/quotas.js';
import { silent } from '../platform.js';
import { suite } from '../suite.js';

const MARCH = Date.parse('2026-03-30T00:00:00Z');
const APRIL = Date.parse('2026-04-02T00:00:00Z');

suite('which workspaces a look at quotas takes in', test => {
  const world = async () => {
    const models = memoryReadModels();
    await models.prepare(collectionsOf(usageProjection, 0));
    const store = memoryEventStore();
    const queries = usageQueries(reader(models, usageProjection, () => 0));
    const now = { at: MARCH };
    let looked: string[] = [];
    const failing = new Set<string>();
    let position = 0;
    const round = quotaRounds({
      usage: queries,
      async limits(workspace) {
        looked.push(workspace);
        if (failing.has(workspace)) throw new Error('no limits');
        return limitedTo({ streaming_rows: 10 });
      },
      count: async (workspace, _, at) => (await queries.counted(workspace, at)).rows,
      handle: handler(store, randomUUID),
      clock: () => now.at,
      newId: randomUUID,
      log: silent,
    });
    return {
      now,
      failing,
      /** So many events come to a workspace. */
      async events(workspace: string, count: number) {
        const facts = Array.from(
          { length: count },
          (): Fact => ({
            ...{ id: randomUUID(), type: 'EventRecorded', data: { text: 'a' }, at: now.at },
            ...{ journal: 'j', revision: position, position: position++ },
            meta: { workspace, actor: 'a', request: null, correlation: 'c', causation: null },
          }),
        );
        await applyPage(usageProjection, models, 0, facts);
      },
      async looked(goesOn = () => true) {
        looked = [];
        await round(goesOn);
        return looked.sort();
      },
      told: async (workspace: string) =>
        (await store.read(`quota-${workspace}`)).map(({ type, data }) => [
          type,
          (data as { used?: number }).used,
        ]),
    };
  };

  test('are those alone that did something since the last', async () => {
    const { events, looked, told } = await world();
    await events('w1', 3);
    await events('w2', 3);
    assert.equal(await looked(), ['w1', 'w2']);
    assert.equal(await looked(), []);
    await events('w2', 5);
    assert.equal(await looked(), ['w2']);
    assert.equal([await told('w1'), await told('w2')], [[], [['QuotaNeared', 8]]]);
  });

  test('are those again that could not be looked at, and all when a month begins', async () => {
    const { events, looked, failing, told, now } = await world();
    await events('w1', 9);
    await events('w2', 9);
    failing.add('w1');
    assert.equal(await looked(), ['w1', 'w2']);
    assert.equal(await looked(), ['w1']);
    failing.clear();
    assert.equal(await looked(), ['w1']);
    assert.equal(await looked(), []);
    now.at = APRIL;
    await events('w1', 9);
    await events('w2', 1);
    assert.equal(await looked(), ['w1', 'w2']);
    assert.equal(await told('w1'), [
      ['QuotaNeared', 9],
      ['QuotaNeared', 9],
    ]);
  });

  test('are all of a round that was broken off', async () => {
    const { events, looked } = await world();
    await events('w1', 1);
    await events('w2', 1);
    let left = 1;
    assert.is((await looked(() => left-- > 0)).length, 1);
    assert.equal(await looked(), ['w1', 'w2']);
  });
});
