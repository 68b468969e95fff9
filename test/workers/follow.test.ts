import * as assert from 'uvu/assert';
import { memoryEventStore, memoryKeyValue, memoryReadModels } from '../../adapters/memory.js';
import type { EventStore } from '../../commands/event-store.js';
import { START, type NewFact } from '../../domain/fact.js';
import { eventsProjection } from '../../projections/events/projection.js';
import { collectionsOf } from '../../projections/projection.js';
import { neutralScores, type Scorer } from '../../domain/scoring.js';
import type { EventDoc } from '../../projections/events/documents.js';
import { follow } from '../../workers/follow.js';
import { leader } from '../../workers/leader.js';
import { projector } from '../../workers/projector.js';
import { FALLBACK, scoring } from '../../workers/scoring.js';
import { handler, loader } from '../../commands/handle.js';
import { quiet, world } from '../projections/world.js';
import { until } from '../platform.js';
import { meta } from '../spec.js';
import { suite } from '../suite.js';

let n = 0;
const fact = (): NewFact => ({ type: 'Happened', data: {}, id: `00000000-0000-4000-8000-${String(n++).padStart(12, '0')}`, at: 0, meta });
const append = (store: EventStore, count = 1) => Promise.all(Array.from({ length: count }, () => store.append(`j-${n}`, START, [fact()])));

suite('following the log', test => {
  test('every fact once and in order, also those that come while it works', async () => {
    const store = memoryEventStore(), seen: number[] = [];
    await append(store, 10);
    const following = follow({
      name: 'f', store, pageSize: 3, log: quiet, from: async () => START,
      work: async page => { seen.push(...page.map(f => f.position)); if (seen.length < 30) await append(store, 2); return page.at(-1)!.position; },
    });
    await until(async () => seen.length >= 30);
    await append(store, 1);
    await until(async () => seen.at(-1) === await store.head());
    await following.stop();
    assert.equal(seen, seen.map((_, i) => i));
  });

  test('a failure is told of and tried again from the checkpoint', async () => {
    const store = memoryEventStore(), done: number[] = [], told: string[] = [];
    let checkpoint = START, failures = 0;
    await append(store, 9);
    const following = follow({
      name: 'f', store, pageSize: 2, log: { ...quiet, error: (_, message) => told.push(message) }, from: async () => checkpoint,
      async work(page) {
        if (page[0]!.position === 4 && failures++ < 2) throw new Error('no');
        done.push(...page.map(f => f.position));
        return checkpoint = page.at(-1)!.position;
      },
    });
    await until(async () => done.length === 9);
    await following.stop();
    assert.equal(done, [0, 1, 2, 3, 4, 5, 6, 7, 8]);
    assert.equal(told, Array(2).fill('f failed and goes on from its checkpoint'));
  });

  test('stop waits for the page under way and takes no other', async () => {
    const store = memoryEventStore(), log: string[] = [];
    await append(store, 4);
    let entered = () => {};
    const inside = new Promise<void>(resolve => { entered = resolve; });
    const following = follow({
      name: 'f', store, pageSize: 1, log: quiet, from: async () => START,
      async work(page) { entered(); await new Promise(r => setTimeout(r, 30)); log.push('done'); return page.at(-1)!.position; },
    });
    await inside;
    await following.stop();
    assert.equal(log, ['done']);
  });

  test('stop ends it also between two attempts', async () => {
    const store = memoryEventStore();
    await append(store);
    const following = follow({ name: 'f', store, pageSize: 1, log: quiet, from: async () => START, work: async () => { throw new Error('always'); } });
    await new Promise(r => setTimeout(r, 30));
    await following.stop();
  });
});

suite('a projector', test => {
  test('says when it has reached a position, and when that takes too long', async () => {
    const real = await world(), models = memoryReadModels();
    await models.prepare(collectionsOf(eventsProjection, 0));
    const running = projector({ store: real.store, models, projection: eventsProjection, generationOf: () => 0, clock: Date.now, log: quiet });
    const { position } = await real.commands.record('w', { key: 'k', text: 't', occurredAt: 1, details: {} }, real.context('w'));
    assert.is(await running.reached(position!, 5_000), true);
    assert.is(running.position(), position);
    assert.is(await running.reached(position! + 1, 10), false);
    const late = running.reached(position! + 1, 60_000);
    await running.stop();
    assert.is(await late, false);
  });
});

suite('a leader', test => {
  test('is one at a time; another takes over when it ends, with a higher fence', async () => {
    const kv = memoryKeyValue(Date.now), fences: (number | undefined)[] = [];
    let running = 0, most = 0;
    const lead = (holder: string) => leader({
      name: 'work', kv, holder, clock: Date.now, log: quiet,
      start(fence) { fences.push(fence?.()); most = Math.max(most, ++running); return { stop: async () => { running--; } }; },
    });
    const [one, two] = [lead('one'), lead('two')];
    const first = await until(async () => (one.active() && one) || (two.active() && two));
    await first.stop();
    const second = first === one ? two : one;
    await until(async () => second.active());
    await second.stop();
    assert.is(most, 1);
    assert.is(running, 0);
    assert.ok(fences.length === 2 && fences[1]! > fences[0]!);
  });

  test('without others it leads at once', async () => {
    const alone = leader({ name: 'work', kv: null, holder: 'me', clock: Date.now, log: quiet, start: () => ({ stop: async () => {} }) });
    assert.ok(alone.active());
    await alone.stop();
  });
});

suite('scoring', test => {
  const failing = (failures: number): Scorer => {
    let left = failures;
    return {
      version: 'es-1', close: async () => {},
      async score() { if (left-- > 0) throw new Error('no'); return { scores: { ...neutralScores(), rank: 9 }, reasons: [], version: 'es-1' }; },
    };
  };
  const run = async (scorer: Scorer, phrases: string[] = []) => {
    const real = await world();
    const reactor = scoring({ scorer, profileOf: async () => ({ version: 'p1', description: '', phrases }), log: quiet, concurrency: 1, pauses: [1, 1, 1, 1] });
    const means = { handle: handler(real.store, () => crypto.randomUUID()), load: loader(real.store) };
    const { eventId } = await real.commands.record('w', { key: 'k', text: 'some text', occurredAt: 1, details: {} }, real.context('w'));
    const answer = async () => { for (const f of await real.store.page(-1, 100)) await reactor.on[f.type]?.(f as never, real.context('w'), means); };
    await answer();
    await answer();
    await real.project();
    const facts = (await real.store.page(-1, 100)).filter(({ type }) => type === 'EventScored');
    return { event: await real.queries.event('w', eventId) as EventDoc, facts };
  };

  test('a scorer that fails a few times is asked again', async () => {
    const { event, facts } = await run(failing(4));
    assert.is(event.scores!.rank, 9);
    assert.is(event.score_version, 'es-1');
    assert.is(facts.length, 1, 'seen twice, scored once');
  });
  test('one that always fails leaves no event waiting', async () => {
    const { event } = await run(failing(Infinity));
    assert.is(event.status, 'scored');
    assert.equal(event.scores, neutralScores());
    assert.is(event.score_version, `es-1${FALLBACK}`);
  });
  test('the version names the workspace\'s own words, where it has any', async () => {
    assert.is((await run(failing(0), ['oil'])).event.score_version, 'es-1.p1');
    assert.is((await run(failing(Infinity), ['oil'])).event.score_version, `es-1.p1${FALLBACK}`);
  });
});
