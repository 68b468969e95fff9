import * as assert from 'uvu/assert';
import { memoryEventStore } from '../../adapters/memory.js';
import type { EventStore } from '../../commands/ports/event-store.js';
import { history, type Filter, type LogRange } from '../../workers/engine/history.js';
import { START, type NewFact } from '../../domain/fact.js';
import { suite } from '../suite.js';

let made = 0;
const fact = (type: string, at: number, workspace: string | null, correlation: string): NewFact => ({
  type,
  at,
  data: { at },
  id: `00000000-0000-4000-8000-${String(made++).padStart(12, '0')}`,
  meta: { workspace, actor: 'operator', request: null, correlation, causation: null },
});

/** a-1: One, Two; b-1: One; a-1: Three; and many in between. */
async function filled(): Promise<EventStore> {
  const store = memoryEventStore();
  await store.append('a-1', START, [fact('One', 10, 'w1', 'c1'), fact('Two', 20, 'w1', 'c1')]);
  await store.append('b-1', START, [fact('One', 30, 'w2', 'c2')]);
  for (let i = 0; i < 1_200; i++) await store.append(`n-${i}`, START, [fact('Noise', 40, null, 'c3')]);
  await store.append('a-1', 1, [fact('Three', 50, 'w1', 'c2')]);
  return store;
}

const span: LogRange = { after: START, limit: Number.POSITIVE_INFINITY };

async function found(store: EventStore, filter: Filter, given: Partial<LogRange> = {}): Promise<string[]> {
  const names: string[] = [];
  for await (const { type, journal } of history(store, filter, { ...span, ...given }))
    names.push(`${type} ${journal}`);
  return names;
}

suite('history', test => {
  const cases: [string, Filter, string[]][] = [
    ['of a workspace', { workspace: 'w1' }, ['One a-1', 'Two a-1', 'Three a-1']],
    ['of a journal', { journal: 'a-1' }, ['One a-1', 'Two a-1', 'Three a-1']],
    ['of types', { types: ['One', 'Three'] }, ['One a-1', 'One b-1', 'Three a-1']],
    [
      'from a time on, which counts, up to another, which does not',
      { from: 20, to: 40 },
      ['Two a-1', 'One b-1'],
    ],
    ['of a chain', { correlation: 'c2' }, ['One b-1', 'Three a-1']],
    ['where all must hold', { types: ['One'], workspace: 'w2', journal: 'b-1' }, ['One b-1']],
    ['of what never was', { journal: 'a-2' }, []],
  ];
  for (const [name, filter, expected] of cases) {
    test(name, async () => assert.equal(await found(await filled(), filter), expected));
  }

  test('all of it, in the order of the log', async () => {
    const store = await filled();
    const positions: number[] = [];
    for await (const { position } of history(store, {}, span)) positions.push(position);
    assert.is(positions.length, 1_204);
    assert.equal(
      positions,
      [...positions].sort((a, b) => a - b),
    );
  });

  test('goes on behind a position, also within a journal', async () => {
    const store = await filled();
    const [, second] = await store.read('a-1');
    for (const filter of [{ workspace: 'w1' }, { journal: 'a-1' }]) {
      assert.equal(await found(store, filter, { after: second!.position }), ['Three a-1']);
    }
  });

  test('a limit ends it without looking further', async () => {
    const store = await filled();
    let pages = 0;
    const counting: EventStore = {
      ...store,
      page: (...at) => {
        pages++;
        return store.page(...at);
      },
    };
    assert.equal(await found(counting, { workspace: 'w1' }, { limit: 2 }), ['One a-1', 'Two a-1']);
    assert.is(pages, 1);
    assert.equal(await found(counting, {}, { limit: 0 }), []);
  });

  test('a long journal is read in pages, and no further than asked for', async () => {
    const store = memoryEventStore();
    for (let i = 0; i < 3; i++)
      await store.append(
        'a-1',
        500 * i - 1,
        Array.from({ length: 500 }, () => fact('One', 10, 'w1', 'c1')),
      );
    const sizes: number[] = [];
    const counting: EventStore = {
      ...store,
      async read(...of) {
        const page = await store.read(...of);
        sizes.push(page.length);
        return page;
      },
    };
    assert.is((await found(counting, { journal: 'a-1' })).length, 1_500);
    assert.equal(sizes.splice(0), [500, 500, 500, 0]);
    assert.is((await found(counting, { journal: 'a-1' }, { limit: 10 })).length, 10);
    assert.equal(sizes, [500]);
  });

  test('an aborted signal ends it quietly', async () => {
    const stop = new AbortController();
    const store = await filled();
    const seen: number[] = [];
    for await (const { position } of history(store, {}, { ...span, signal: stop.signal })) {
      seen.push(position);
      if (seen.length === 700) stop.abort();
    }
    assert.is(seen.length, 700);
  });

  test('following, it takes what is written later, until it is aborted at rest', async () => {
    const stop = new AbortController();
    const store = await filled();
    const seen: string[] = [];
    const follow = (async () => {
      for await (const { type } of history(
        store,
        { workspace: 'w1' },
        { ...span, follow: true, signal: stop.signal },
      )) {
        seen.push(type);
        if (type === 'Three') await store.append('a-1', 2, [fact('Four', 60, 'w1', 'c4')]);
        if (type === 'Four') setTimeout(() => stop.abort(), 20);
      }
    })();
    await follow;
    assert.equal(seen, ['One', 'Two', 'Three', 'Four']);
  });
});
