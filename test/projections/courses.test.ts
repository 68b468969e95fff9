import * as assert from 'uvu/assert';
import { memoryReadModels } from '../../adapters/memory-read-models.js';
import { courses } from '../../projections/catalogue/courses.js';
import {
  ownSignal,
  ownStream,
  type SignalEntry,
  type StreamEntry,
} from '../../projections/catalogue/entries.js';
import type { ReadModels } from '../../projections/engine/read-models.js';
import { suite } from '../suite.js';
import { aPush, signalsWorld } from './signals-world.js';
import { world } from './world.js';

const HOUR = 3_600_000;

/** Counts what is asked of the store, and can hold the checkpoints back, as while a page is being written. */
function watched(models: ReadModels) {
  const seen = { asked: 0, halfWritten: false };
  const counted: ReadModels = {
    ...models,
    load: (...args) => {
      seen.asked++;
      return models.load(...args) as never;
    },
    find: (...args) => {
      seen.asked++;
      return models.find(...args) as never;
    },
    checkpoint: async name => (await models.checkpoint(name)) - Number(seen.halfWritten),
  };
  return { seen, models: counted };
}

async function signals() {
  const { seen, models } = watched(memoryReadModels());
  const { commands, context, project, queries } = await signalsWorld({ leafPoints: 3, models });
  const nobody = async () => assert.unreachable() as never;
  const events = {
    ...{ latest: nobody, mostRecent: nobody, firstAt: nobody, scheduledIn: nobody },
    ...{ newest: nobody, upTo: nobody },
  };
  const { ofSignals } = courses(queries, events);
  const entry = async (key: string): Promise<SignalEntry> => ownSignal((await queries.signal('w', key))!);
  return {
    seen,
    entry,
    ofSignals,
    push: async (key: string, points: [number, number][]) => {
      await commands.push('w', [aPush(key, points)], context('w'));
      await project(10);
    },
  };
}

async function streams() {
  const { seen, models } = watched(memoryReadModels());
  const { commands, context, project, queries, clock } = await world(models);
  const nobody = async () => assert.unreachable() as never;
  const { ofStreams } = courses({ newestOfEach: nobody, upTo: nobody }, queries);
  const entry = async (key: string): Promise<StreamEntry> => ownStream((await queries.stream('w', key))!);
  return {
    seen,
    clock,
    entry,
    ofStreams,
    record: async (key: string, text: string, occurredAt: number) => {
      await commands.record('w', { key, text, occurredAt, details: {} }, context('w'));
      await project();
    },
  };
}

suite('what lists show of signals and streams besides their documents', test => {
  test('of signals it is that of all their points, with one leaf or many', async () => {
    const { entry, ofSignals, push } = await signals();
    await push('one', [
      [0, 1],
      [1_000, 2],
    ]);
    const many = Array.from({ length: 11 }, (_, i): [number, number] => [i * 1_000 + (i > 5 ? 5_000 : 0), i]);
    await push('many', many);
    const found = await ofSignals('w', [await entry('many'), await entry('one')]);
    assert.equal(found, [
      { cadence: 1_000, gaps: 1, spark: many.map(([, value]) => value) },
      { cadence: 1_000, gaps: 0, spark: [1, 2] },
    ]);
  });

  test('is not found out again while the signal stays the same, and is once it has changed', async () => {
    const { entry, ofSignals, push, seen } = await signals();
    await push('k', [[0, 1]]);
    const first = await entry('k');
    await ofSignals('w', [first]);
    const { asked } = seen;
    assert.equal(await ofSignals('w', [first]), [{ cadence: null, gaps: 0, spark: [1] }]);
    assert.is(seen.asked, asked);
    await push('k', [[0, 7]]);
    assert.equal(await ofSignals('w', [await entry('k')]), [{ cadence: null, gaps: 0, spark: [7] }]);
  });

  test('is not kept while a page of facts is half written', async () => {
    const { entry, ofSignals, push, seen } = await signals();
    await push('k', [[0, 1]]);
    seen.halfWritten = true;
    await ofSignals('w', [await entry('k')]);
    seen.halfWritten = false;
    const { asked } = seen;
    await ofSignals('w', [await entry('k')]);
    assert.ok(seen.asked > asked + 1);
  });

  test('of streams it is found out again when one has changed', async () => {
    const { entry, ofStreams, record, clock, seen } = await streams();
    await record('s', 'first', clock.now - 2 * HOUR);
    const before = await entry('s');
    const [found] = await ofStreams('w', [before], clock.now);
    assert.is(found!.latest.text, 'first');
    const { asked } = seen;
    await ofStreams('w', [before], clock.now + HOUR);
    assert.is(seen.asked, asked);
    await record('s', 'second', clock.now - HOUR);
    const [again] = await ofStreams('w', [await entry('s')], clock.now);
    assert.equal([again!.latest.text, again!.course.cadence], ['second', HOUR]);
  });

  test('and when what was to come has come', async () => {
    const { entry, ofStreams, record, clock } = await streams();
    await record('s', 'past', clock.now - HOUR);
    await record('s', 'to come', clock.now + HOUR);
    const same = await entry('s');
    const rows = [];
    for (const now of [clock.now, clock.now + HOUR, clock.now]) {
      const [row] = await ofStreams('w', [same], now);
      const { scheduled, lastPast, last, latest, course } = row!;
      rows.push([scheduled?.count ?? 0, lastPast, last.occurred_at, latest.text, course.spark.length]);
    }
    const to = clock.now + HOUR;
    const before = [1, clock.now - HOUR, to, 'past', 1];
    assert.equal(rows, [before, [0, to, to, 'to come', 2], before]);
  });

  test('what is to come does not hide what has happened; of what is all to come it is the next', async () => {
    const { entry, ofStreams, record, clock } = await streams();
    await record('s', 'far', clock.now + 2 * HOUR);
    await record('s', 'near', clock.now + HOUR);
    const latest = async () => (await ofStreams('w', [await entry('s')], clock.now))[0]!.latest.text;
    assert.is(await latest(), 'near');
    await record('s', 'past', clock.now - HOUR);
    assert.is(await latest(), 'past');
  });
});
