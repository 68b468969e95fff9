import { randomUUID } from 'node:crypto';
import * as assert from 'uvu/assert';
import { memoryEventStore } from '../../adapters/memory.js';
import { handler, loader } from '../../commands/engine/handle.js';
import { notingOf } from '../../commands/revisions/noting.js';
import { numberedId, revisionCommands } from '../../commands/revisions/records.js';
import type { Affected, Found } from '../../domain/revisions/causes.js';
import { cause, MERGE_MS } from '../domain/revisions/given.js';
import { suite } from '../suite.js';

const context = {
  ...{ workspace: 'w', actor: 'reactor:history-revision', request: null },
  ...{ correlation: 'c', causation: null, at: 1 },
};
const GOALS = 2_400;
/** As long as a key may be, of letters that take two bytes. */
const keyOf = (nth: number): string => `${'é'.repeat(195)}${nth}`;
const found = (position: number, goals = GOALS): Found => {
  const key = keyOf(position);
  const ofGoal = (_: unknown, i: number): Affected => ({
    ...{ goalId: `goa_${i}`, from: 1_000, to: 1_000 + position, signals: [key], streams: [] },
  });
  return {
    cause: cause(position, { kind: 'points_revised', key, eventId: null, to: 1_000 + position }),
    goals: Array.from({ length: goals }, ofGoal),
  };
};
const openWorld = () => {
  const store = memoryEventStore();
  const commands = revisionCommands({ handle: handler(store, randomUUID), load: loader(store) });
  const note = notingOf({ commands, firstClosingAfter: async () => 0, mergeMs: MERGE_MS });
  const read = () => commands.read({ workspace: 'w', revisionId: numberedId('w', 0) });
  return { store, note, read };
};

suite('causes of a revision that do not fit into one append', test => {
  test('are all taken, and all goals of each', async () => {
    const { store, note, read } = openWorld();
    await note('w', [found(2), found(0), found(1)], context);
    const known = await read();
    assert.equal(
      known.causes.map(({ position }) => position),
      [0, 1, 2],
    );
    assert.is(known.closesAt, MERGE_MS);
    assert.is(known.goals.length, GOALS);
    const keys = [0, 1, 2].map(keyOf);
    for (const goal of known.goals) assert.equal([goal.to, [...goal.signals].sort()], [1_002, keys]);

    const head = await store.head();
    await note('w', [found(0), found(1), found(2)], context);
    assert.is(await store.head(), head, 'told again they add nothing');
  });

  test('are taken in full by who goes on after a kill between two appends', async () => {
    const { store, note, read } = openWorld();
    const append = store.append.bind(store);
    let appends = 0;
    store.append = (...asked) => (++appends === 3 ? Promise.reject(new Error('killed')) : append(...asked));
    const died = await note('w', [found(0)], context).catch((error: unknown) => error);
    assert.is((died as Error).message, 'killed');
    assert.ok((await read()).goals.length < GOALS);
    await note('w', [found(0)], context);
    assert.is((await read()).goals.length, GOALS);
    assert.is((await read()).causes.length, 1);
  });

  test('what a goal was told of already is not written again', async () => {
    const { store, note } = openWorld();
    for (let i = 0; i < 40; i++) await note('w', [found(i, 1)], context);
    const facts = await store.read(`revision-w.${numberedId('w', 0)}`);
    const bytes = facts.map(({ data }) => Buffer.byteLength(JSON.stringify(data)));
    assert.ok(Math.max(...bytes) < 1_000, `the longest fact has ${Math.max(...bytes)} bytes`);
  });
});
