import * as assert from 'uvu/assert';
import { memoryReadModels } from '../../adapters/memory-read-models.js';
import { memoryKeyValue } from '../../adapters/memory.js';
import { eventsProjection } from '../../projections/events/projection.js';
import { checkpointName, collectionName } from '../../projections/engine/projection.js';
import type { EventDoc } from '../../projections/events/documents.js';
import { projector, type Projector } from '../../workers/engine/projector.js';
import type { Rebuilding } from '../../workers/engine/filling.js';
import { rebuild } from '../../workers/engine/rebuild.js';
import { verify, type Verified } from '../../workers/engine/verify.js';
import { activeGenerations, type ActiveGenerations } from '../../workers/engine/generations.js';
import { quiet, world } from '../projections/world.js';
import { suite } from '../suite.js';

type Stand = Awaited<ReturnType<typeof world>> & {
  generations: ActiveGenerations;
  live: Projector;
  input: Rebuilding;
};

async function stand(): Promise<Stand> {
  const models = memoryReadModels();
  const real = await world(models, position => live.caughtUp(position, 5_000));
  const generations = await activeGenerations(
    memoryKeyValue(() => 0),
    [eventsProjection],
  );
  const live = projector({
    store: real.store,
    models,
    projection: eventsProjection,
    generationOf: generations.generationOf,
    log: quiet,
  });
  const input = {
    store: real.store,
    models,
    generations,
    projection: eventsProjection,
    projector: live,
    graceMs: 0,
    signal: new AbortController().signal,
  };
  for (let i = 0; i < 50; i++) await record({ ...real, generations, live, input }, i);
  await real.score();
  await live.caughtUp(await real.store.head(), 5_000);
  return { ...real, generations, live, input };
}

const record = ({ commands, context }: Stand, i: number) =>
  commands.record(
    'w',
    { key: `k${i % 3}`, text: `text ${i}`, occurredAt: 1_700_000_000_000 + i, details: {} },
    context('w'),
  );

async function verified(input: Rebuilding): Promise<Verified> {
  const run = verify(input);
  for (let step = await run.next(); ; step = await run.next()) if (step.done) return step.value;
}
const events = collectionName(eventsProjection, 'events', 0);

suite('rebuilding beside what serves', test => {
  test('verify finds nothing when nothing is wrong, and leaves nothing behind', async () => {
    const { input, models, live } = await stand();
    const collections = await models.collections();
    const { documents, differences } = await verified(input);
    // Events, streams, the totals, the workspace's backlog
    assert.is(documents, 50 + 3 + 1 + 1);
    assert.equal(differences, []);
    assert.equal(await models.collections(), collections);
    await live.stop();
  });

  test('verify finds a document that is changed, one that is missing and one too many', async () => {
    const { input, models, live } = await stand();
    const [a, b] = await models.find<EventDoc>(events, { where: {}, sort: { by: ['_id'] }, limit: 2 });
    const extra = { ...a!, _id: 'w/zzz' };
    await models.commit({
      projection: 'x',
      checkpoint: 0,
      sweeps: [],
      changes: [{ collection: events, put: [{ ...a!, text: 'tampered' }, extra], remove: [b!._id] }],
    });
    const { differences } = await verified(input);
    assert.equal(differences.map(d => d.id).sort(), [a!._id, b!._id, extra._id].sort());
    await live.stop();
  });

  test('what is recorded meanwhile is no difference', async () => {
    const { input, live, ...real } = await stand();
    const run = verify(input);
    let step = await run.next();
    for (let i = 100; !step.done; i++, step = await run.next()) await record({ input, live, ...real }, i);
    assert.equal((step.value as Verified).differences, []);
    await live.stop();
  });

  test('gives others their turn after each page, also over stores that answer at once', async () => {
    const { input, live } = await stand();
    const run = rebuild({ ...input, projector: null });
    let turns = 0;
    setImmediate(() => {
      turns++;
    });
    await run.next();
    assert.is(turns, 1);
    await run.return(undefined);
    await live.stop();
  });

  test('a rebuild takes the place of what served, while recording goes on', async () => {
    const { input, live, generations, models, ...real } = await stand();
    await models.commit({
      projection: 'x',
      checkpoint: 0,
      sweeps: [],
      changes: [
        { collection: events, put: [], remove: (await models.find(events, { where: {} })).map(d => d._id) },
      ],
    });
    let i = 200;
    for await (const progress of rebuild(input)) {
      assert.ok(progress.at <= progress.head);
      await record({ input, live, generations, models, ...real }, i++);
    }
    assert.is(generations.generationOf(eventsProjection), 1);
    const last = await record({ input, live, generations, models, ...real }, i);
    assert.ok(await live.caughtUp(last.position!, 5_000));
    assert.is(
      (await models.find(collectionName(eventsProjection, 'events', 1), { where: {} })).length,
      50 + i - 200 + 1,
    );
    assert.not((await models.collections()).includes(events));
    assert.is(await models.checkpoint(checkpointName(eventsProjection, 1)), await real.store.head());
    assert.equal((await verified(input)).differences, []);
    await live.stop();
  });

  test('broken off, it leaves nothing behind', async () => {
    const { input, models, live } = await stand();
    const stop = new AbortController();
    const collections = await models.collections();
    stop.abort();
    try {
      for await (const _ of rebuild({ ...input, signal: stop.signal })) assert.unreachable();
    } catch (error) {
      assert.is((error as Error).name, 'AbortError');
    }
    assert.equal(await models.collections(), collections);
    await live.stop();
  });
});
