import * as assert from 'uvu/assert';
import { memoryReadModels } from '../../adapters/memory-read-models.js';
import type { Fact } from '../../domain/fact.js';
import { eventsProjection } from '../../projections/events/projection.js';
import { applyPage } from '../../projections/engine/apply.js';
import { checkpointName, collectionsOf } from '../../projections/engine/projection.js';
import type { ReadModels } from '../../projections/engine/read-models.js';
import { suite } from '../suite.js';
import { world } from '../projections/world.js';

const names = collectionsOf(eventsProjection, 0).map(({ name }) => name);
class Killed extends Error {}

/**
 * A log with everything in it: two streams, revisions, moves, withdrawals, deletions, second lives, scores,
 * events that came due.
 */
async function history(): Promise<Fact[]> {
  const real = await world();
  const context = () => real.context('w');
  const record = (key: string, text: string, occurredAt: number, value?: number) =>
    real.commands.record(
      'w',
      { key, text, occurredAt, details: value === undefined ? {} : { value } },
      context(),
    );
  const now = real.clock.now;
  const first = await record('a', 'one', now - 1);
  const second = await record('a', 'two', now + 500, 4);
  const third = await record('b', '77', now, 77);
  await real.score();
  await real.commands.revise('w', first.eventId, { name: 'renamed' }, null, context());
  await real.commands.revise('w', second.eventId, { value: 9, occurredAt: now + 700 }, null, context());
  await record('b', 'three', now + 900);
  await real.score();
  real.clock.now += 800;
  await real.comeDue();
  await real.commands.withdraw('w', first.eventId, null, context());
  await real.commands.deleteStream('w', 'a', context());
  await record('a', 'two', now + 500, 4);
  await record('a', 'one', now - 1);
  await real.commands.revise('w', third.eventId, { value: null }, null, context());
  await real.commands.deleteStream('w', 'b', context());
  await real.commands.deleteStream('w', 'a', context());
  await record('b', '77', now, 78);
  await record('a', 'two', now + 500);
  await real.score();
  await record('a', 'two', now + 500);
  return real.store.page(-1, 1_000);
}

async function run(models: ReadModels, facts: readonly Fact[], size: number): Promise<void> {
  await models.prepare(collectionsOf(eventsProjection, 0));
  for (;;) {
    const at = await models.checkpoint(checkpointName(eventsProjection, 0));
    const page = facts.filter(({ position }) => position > at).slice(0, size);
    if (page.length === 0) return;
    await applyPage(eventsProjection, models, 0, page);
  }
}

const everything = async (models: ReadModels) =>
  JSON.stringify(
    await Promise.all(
      names.map(async name => [name, await models.find(name, { where: {}, sort: { by: ['_id'] } })]),
    ),
  );

suite('a projection killed at any write', test => {
  test('ends as one that ran undisturbed, whatever the sizes of pages', async () => {
    const facts = await history();
    const clean = memoryReadModels();
    await run(clean, facts, 1);
    const expected = await everything(clean);
    assert.ok(
      facts.length > 20 && expected.length > 1_000,
      `${facts.length} facts and ${expected.length} letters are enough to mean something`,
    );
    let kills = 0;
    for (const size of [1, 2, 3, 5, 8, 13, facts.length])
      for (const sizeAfter of [1, 4, facts.length]) {
        let writes = 0;
        let killAt = 0;
        let killed = true;
        for (; killed; killAt++) {
          writes = 0;
          const models = memoryReadModels(() => {
            if (writes++ === killAt) throw new Killed();
          });
          killed = await run(models, facts, size).then(
            () => false,
            (error: unknown) => {
              assert.instance(error, Killed);
              return true;
            },
          );
          writes = Number.NEGATIVE_INFINITY;
          await run(models, facts, sizeAfter);
          assert.is(
            await everything(models),
            expected,
            `pages of ${size}, killed at write ${killAt}, then pages of ${sizeAfter}`,
          );
        }
        kills += killAt;
      }
    assert.ok(kills > 500, `${kills} kills`);
  });

  test('the same facts twice make the same documents', async () => {
    const facts = await history();
    const once = memoryReadModels();
    const twice = memoryReadModels();
    await run(once, facts, 6);
    for (let i = 0; i < facts.length; i += 6) {
      await twice.prepare(collectionsOf(eventsProjection, 0));
      for (const _ of [1, 2]) await applyPage(eventsProjection, twice, 0, facts.slice(i, i + 6));
    }
    assert.is(await everything(twice), await everything(once));
  });
});
