import fc from 'fast-check';
import * as assert from 'uvu/assert';
import { streamListsThen } from '../../api/events/stream-list-then.js';
import { streamLists } from '../../api/events/stream-list.js';
import { streamReads } from '../../api/events/stream-reads.js';
import { eventsPast } from '../../areas/events-past.js';
import { eventIdOf } from '../../commands/events.js';
import { Rejected } from '../../domain/rejected.js';
import { applyPage } from '../../projections/engine/apply.js';
import { checkpointName, collectionsOf } from '../../projections/engine/projection.js';
import { reader } from '../../projections/engine/reader.js';
import { eventsProjection } from '../../projections/events/projection.js';
import { eventVersionsProjection } from '../../projections/events/versions.js';
import { eventReads } from '../../projections/marketplace/event-reads.js';
import { suite } from '../suite.js';
import { world } from './world.js';

const START = 1_800_000_000_000;
const HOUR = 3_600_000;
const RUNS = Number(process.env['PROPERTY_RUNS'] ?? 30);
const workspaces = ['w1', 'w2'];
const keys = ['a', 'b/%'];
const texts = ['Storm cuts power', 'Storm cuts water and power', '42', '嵐 ⚡'];
const times = [START - HOUR, START, START + 1_000, START + 5_000];

const one = <T>(list: readonly T[]) => fc.constantFrom(...list);
const event = fc.record({
  workspace: one(workspaces),
  key: one(keys),
  text: one(texts),
  occurredAt: one(times),
});
const details = one([{}, { value: 1 }, { value: 2, name: 'n' }]);
const changes = one([
  { name: 'x' },
  { name: null },
  { value: 5 },
  { occurredAt: times[3]! },
  { occurredAt: times[0]! },
]);
const operation = fc.oneof(
  { weight: 6, arbitrary: fc.record({ do: fc.constant('record' as const), event, details }) },
  { weight: 3, arbitrary: fc.record({ do: fc.constant('revise' as const), event, changes }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('withdraw' as const), event }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('deleteStream' as const), event }) },
  { weight: 3, arbitrary: fc.record({ do: fc.constant('score' as const) }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('comeDue' as const) }) },
  { weight: 3, arbitrary: fc.record({ do: fc.constant('wait' as const), ms: one([1, 900, 4_000]) }) },
);
type Operation = typeof operation extends fc.Arbitrary<infer T> ? T : never;
type World = Awaited<ReturnType<typeof world>>;

async function step(real: World, each: Operation): Promise<void> {
  if (each.do === 'wait') real.clock.now += each.ms;
  if (each.do === 'score') await real.score();
  if (each.do === 'comeDue') await real.comeDue();
  if (!('event' in each)) return;
  const { workspace, key, text, occurredAt } = each.event;
  const context = real.context(workspace);
  const id = eventIdOf(workspace, key, occurredAt, text);
  if (each.do === 'record')
    await real.commands.record(workspace, { key, text, occurredAt, details: each.details }, context);
  if (each.do === 'revise')
    await unlessGone(real.commands.revise(workspace, id, each.changes, null, context));
  if (each.do === 'withdraw') await unlessGone(real.commands.withdraw(workspace, id, null, context));
  if (each.do === 'deleteStream') await real.commands.deleteStream(workspace, key, context);
}

async function unlessGone(write: Promise<unknown>): Promise<void> {
  await write.catch(error => assert.instance(error, Rejected));
}

/** Everything that is read of events, of now or (`asOf`) of then. */
function reading(real: World) {
  const read = (p: Parameters<typeof reader>[1]) => reader(real.models, p, () => 0);
  const market = {
    aliasesOf: async () => [],
    resolve: async (workspace: string, _: string, key: string) => ({ workspace, key }),
  };
  const reads = eventReads(read(eventsProjection), market);
  const kernel = { read, stores: { events: real.store }, caughtUp: async () => true };
  const then = eventsPast(kernel as never, { queries: market } as never);
  const { upcoming, page } = streamReads({ reads, then });
  const listNow = streamLists(reads, async () => new Map());
  const listThen = streamListsThen({ ...then, edges: async () => new Map() });
  const ids = (workspace: string) =>
    keys.flatMap(key => texts.flatMap(text => times.map(time => eventIdOf(workspace, key, time, text))));

  async function oneEvent(workspace: string, id: string, asOf: number | null) {
    if (asOf !== null) {
      const was = await then.event(workspace, id, asOf);
      return was && { ...was, event: { ...was.event } };
    }
    const found = await reads.ofEvent(workspace, id);
    if (!found) return null;
    const { _at, ...event } = found.event as typeof found.event & { _at: number };
    const { revisions } = (await found.queries.revisions(workspace, id, 0, 100))!;
    return {
      event,
      revisions: revisions.map(({ _at: __, ...each }: (typeof revisions)[number] & { _at?: number }) => each),
      valueNormalized: await found.queries.normalisedValue(event),
    };
  }

  async function pages(workspace: string, key: string, asOf: number | null) {
    const found: unknown[] = [];
    for (let place = null, before: number | null = null; ; ) {
      const { events, hasMore, next, nextBefore } = await page(workspace, key, asOf, [2, before, place]);
      found.push({ events: events.map(shown), hasMore, next, nextBefore });
      if (!hasMore) return found;
      [before, place] = nextBefore === null ? [null, next as never] : [nextBefore, null];
    }
  }

  return async (workspace: string, now: number, asOf: number | null) => {
    const list = async (points: 'all' | 'none', maxPoints: number | null) => {
      const of = { points, maxPoints };
      let text = '';
      for await (const chunk of asOf === null ? listNow(workspace, of, now) : listThen(workspace, of, asOf))
        text += String(chunk);
      return (JSON.parse(text) as { data: { streams: unknown } }).data.streams;
    };
    const toCome = (named: readonly string[] | null, until: number, limit: number) =>
      upcoming(workspace, { asOf, from: now, until, keys: named, limit });
    const all = await toCome(null, now + HOUR, 3);
    const some = await toCome([keys[0]!], now + 3_000, 1_000);
    return {
      lists: [await list('all', null), await list('all', 2), await list('none', null)],
      upcoming: [all, some].map(({ events, total }) => ({ events: events.map(shown), total })),
      streams: await Promise.all([...keys, 'none'].map(key => pages(workspace, key, asOf))),
      events: await Promise.all(ids(workspace).map(id => oneEvent(workspace, id, asOf))),
    };
  };
}

const shown = ({
  event_id,
  key,
  name,
  occurred_at,
  timestamp,
  status,
  value,
  scores,
}: Record<string, unknown> | never) => ({
  ...{ event_id, key, name, occurred_at, timestamp, status, value, scores },
});

async function project({ store, models }: World): Promise<void> {
  for (const p of [eventsProjection, eventVersionsProjection])
    for (;;) {
      const page = await store.page(await models.checkpoint(checkpointName(p, 0)), 5);
      if (page.length === 0) break;
      await applyPage(p, models, 0, page);
    }
}

suite('events of a past moment', test => {
  test('are what was answered at that moment, whatever was written since', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(operation, { minLength: 3, maxLength: 25 }), async operations => {
        const real = await world();
        await real.models.prepare(collectionsOf(eventVersionsProjection, 0));
        const answers = reading(real);
        const given: { readonly at: number; readonly said: readonly unknown[] }[] = [];
        for (const each of operations) {
          await step(real, each);
          await project(real);
          const at = real.clock.now;
          given.push({ at, said: await Promise.all(workspaces.map(of => answers(of, at, null))) });
          real.clock.now += 1;
        }
        for (const { at, said } of given)
          assert.equal(await Promise.all(workspaces.map(of => answers(of, at, at))), said, `as of ${at}`);
      }),
      { numRuns: RUNS },
    );
  });
});
