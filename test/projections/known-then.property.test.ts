import { join } from 'node:path';
import fc from 'fast-check';
import * as assert from 'uvu/assert';
import { embeddedReadModels } from '../../adapters/embedded/read-models.js';
import { memoryReadModels } from '../../adapters/memory-read-models.js';
import { EARLIEST, LATEST } from '../../domain/time.js';
import { collectionName } from '../../projections/engine/projection.js';
import type { Doc, Query, ReadModels } from '../../projections/engine/read-models.js';
import type { SignalQueries } from '../../projections/signals/queries.js';
import { openedOn } from '../contract/mongodb.js';
import { inFolder, type Opened } from '../contract/opened.js';
import { suite } from '../suite.js';
import { NaiveSignals } from './naive-signals.js';
import { aPush, joined, signalsWorld } from './signals-world.js';

const RUNS = Number(process.env['PROPERTY_RUNS'] ?? 200);
const keys = ['a', 'b'];
const time = fc.integer({ min: 0, max: 60 });
const value = fc.constantFrom(0, 1, 2, -1.5);
const scattered = fc.array(fc.tuple(time, value), { minLength: 1, maxLength: 12 });
const inTurn = fc
  .record({ from: time, values: fc.array(value, { minLength: 1, maxLength: 12 }) })
  .map(({ from, values }) => values.map((v, i) => [from + i, v] as [number, number]));
const step = fc.oneof(
  {
    weight: 10,
    arbitrary: fc.record({
      do: fc.constant('push' as const),
      key: fc.constantFrom(...keys),
      pairs: fc.oneof(scattered, inTurn),
    }),
  },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('delete' as const), key: fc.constantFrom(...keys) }) },
  // Clocks go back now and then
  {
    weight: 6,
    arbitrary: fc.record({ do: fc.constant('wait' as const), ms: fc.constantFrom(1, 5, 1_000, -3) }),
  },
  {
    weight: 4,
    arbitrary: fc.record({ do: fc.constant('project' as const), page: fc.constantFrom(1, 3, 50) }),
  },
);
const span = fc.tuple(time, time, fc.integer({ min: 1, max: 15 }));

type Steps = readonly (typeof step extends fc.Arbitrary<infer T> ? T : never)[];

/** A workspace after some steps, and what a plain memory of all that was said knows of it. */
async function after(steps: Steps, leafPoints: number, models: ReadModels) {
  const real = await signalsWorld({ leafPoints, models });
  const naive = new NaiveSignals();
  const moments = new Set([real.clock.now - 1, real.clock.now]);
  for (const each of steps) {
    if (each.do === 'wait') real.clock.now += each.ms;
    if (each.do === 'project') await real.project(each.page);
    moments.add(real.clock.now);
    if (each.do === 'push') {
      await real.commands.push('w', [aPush(each.key, each.pairs)], real.context('w'));
      naive.push(each.key, each.pairs, null, real.clock.now);
    }
    if (each.do === 'delete' && naive.delete(each.key))
      await real.commands.delete('w', each.key, real.context('w'));
  }
  await real.project(4);
  return { ...real, naive, moments: [...moments] };
}

async function sameThen(
  queries: SignalQueries,
  naive: NaiveSignals,
  moment: number,
  [from, to, count]: readonly [number, number, number],
): Promise<void> {
  for (const key of keys) {
    const known = naive.knownAt(key, moment);
    const told = `${key} as of ${moment}, from ${from} to ${to}, ${count}`;
    const doc = await queries.signal('w', key);
    const summary = doc && (await queries.summaryThen(doc, moment));
    const [first, last] = [known[0], known.at(-1)];
    const expected = first
      && last && { count: known.length, first_at: first[0], last_at: last[0], last_value: last[1] };
    assert.equal(summary, expected ?? null, `summary of ${told}`);
    const { times, values } = await queries.newest('w', key, to, count, moment);
    assert.equal(
      times.map((t, i) => [t, values[i]]),
      known.filter(([t]) => t <= to).slice(-count),
      `newest of ${told}`,
    );
    assert.equal(
      await joined(queries.pointsKnown('w', key, from, to, moment)),
      known.filter(([t]) => t >= from && t <= to),
      `points of ${told}`,
    );
  }
}

type Store = readonly [name: string, runs: number, open: () => Promise<Opened<ReadModels>>];
const url = process.env['MONGODB_URL'];
const stores: Store[] = [
  ['memory', RUNS, async () => ({ store: memoryReadModels(), close: async () => {} })],
  ['embedded', Math.ceil(RUNS / 10), () => inFolder(folder => embeddedReadModels(join(folder, 'models.db')))],
];
if (url !== undefined)
  stores.push(['mongodb', Math.ceil(RUNS / 20), () => openedOn(url, Date.now, ({ models }) => models)]);

suite('points as they were known at a past moment', test => {
  for (const [name, runs, open] of stores)
    test(`are those that a plain memory of all that was said knows, on ${name}`, () =>
      fc.assert(
        fc.asyncProperty(
          fc.array(step, { maxLength: 30 }),
          fc.array(span, { minLength: 1, maxLength: 3 }),
          fc.integer({ min: 2, max: 6 }),
          async (steps, spans, leafPoints) => {
            const opened = await open();
            try {
              const { queries, naive, moments } = await after(steps, leafPoints, opened.store);
              for (const moment of moments)
                for (const each of [[EARLIEST, LATEST, 1_000] as const, ...spans])
                  await sameThen(queries, naive, moment, each);
            } finally {
              await opened.close();
            }
          },
        ),
        { numRuns: runs, includeErrorInReport: true },
      ));

  test('what was written last counts, also where clocks went back meanwhile', async () => {
    const { commands, context, clock, project, queries } = await signalsWorld();
    for (const [value, now] of [90, 130, 100, 120].entries()) {
      clock.now = now;
      await commands.push('w', [aPush('k', [[1, value]])], context('w'));
    }
    await project();
    const then = async (asOf: number) => (await queries.newest('w', 'k', LATEST, 1, asOf)).values;
    assert.equal(await Promise.all([89, 90, 99, 100, 119, 120, 130].map(then)), [
      [],
      [0],
      [0],
      [2],
      [2],
      [3],
      [3],
    ]);
  });

  test('a short context is told without reading what was recorded later', async () => {
    const models = memoryReadModels();
    const read: string[] = [];
    const watched: ReadModels = {
      ...models,
      load: (collection, ids) => {
        read.push(...ids.map(id => `${collection} ${id}`));
        return models.load(collection, ids);
      },
      find: async <D extends Doc>(collection: string, query: Query) => {
        const found = await models.find<D>(collection, query);
        read.push(...found.map(({ _id }) => `${collection} ${_id}`));
        return found;
      },
    };
    const { commands, context, clock, project, projection, queries } = await signalsWorld({
      leafPoints: 10,
      models: watched,
    });
    const began = clock.now;
    for (let n = 0; n < 300; n++) {
      const pairs = Array.from({ length: 10 }, (_, i) => [n * 10 + i, n] as const);
      await commands.push('w', [aPush('k', pairs)], context('w'));
      clock.now += 1;
    }
    // Corrected much later: what stood there before is still told
    await commands.push('w', [aPush('k', [[995, -1]])], context('w'));
    await project();
    read.length = 0;
    const { times, values } = await queries.newest('w', 'k', LATEST, 15, began + 99);
    assert.equal([times[0], times.at(-1), values[10]], [985, 999, 99]);
    const of = (collection: string) =>
      read.filter(id => id.startsWith(collectionName(projection, collection, 0)));
    assert.equal([of('signal_points').length, of('signal_revisions').length], [2, 1]);
    read.length = 0;
    const doc = (await queries.signal('w', 'k'))!;
    const was = { count: 1_000, first_at: 0, last_at: 999, last_value: 99 };
    assert.equal(await queries.summaryThen(doc, began + 99), was);
    assert.equal([of('signal_points').length, of('signal_revisions').length], [1, 1]);
    // Where most was corrected since, only the ends are told
    const all = Array.from({ length: 600 }, (_, i) => [i, -2] as const);
    await commands.push('w', [aPush('k', all)], context('w'));
    await project();
    const later = (await queries.signal('w', 'k'))!;
    assert.equal(await queries.summaryThen(later, began + 99), { ...was, count: null });
  });

  test('the signals of the entities of a base, and of no other', async () => {
    const { commands, context, project, queries } = await signalsWorld();
    const all = ['a', 'a__', 'a__x', 'a__y', 'a__y__z', 'a_', 'ab__x', 'a___z', 'b__x'];
    await commands.push(
      'w',
      all.map(key => aPush(key, [[1, 1]])),
      context('w'),
    );
    await commands.push('v', [aPush('a__v', [[1, 1]])], context('v'));
    await project();
    const entities = async (base: string, limit = 100) =>
      (await queries.entities('w', base, limit)).map(({ key }) => key);
    assert.equal(await entities('a'), ['a___z', 'a__x', 'a__y', 'a__y__z']);
    assert.equal(await entities('a', 2), ['a___z', 'a__x']);
    assert.equal(await entities('a__y'), []);
    assert.equal(await entities('c'), []);
  });
});
