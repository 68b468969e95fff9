import fc from 'fast-check';
import * as assert from 'uvu/assert';
import { streamListsThen } from '../../api/events/stream-list-then.js';
import { streamLists } from '../../api/events/stream-list.js';
import { streamReads } from '../../api/events/stream-reads.js';
import { eventsPast } from '../../areas/events-past.js';
import { eventIdOf } from '../../commands/events/ids.js';
import { Rejected } from '../../domain/rejected.js';
import { applyPage } from '../../projections/engine/apply.js';
import { checkpointName } from '../../projections/engine/projection.js';
import { reader } from '../../projections/engine/reader.js';
import { eventsProjection } from '../../projections/events/projection.js';
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
  { weight: 3, arbitrary: fc.record({ do: fc.constant('revise' as const), which: fc.nat(99), changes }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('withdraw' as const), which: fc.nat(99) }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('deleteStream' as const), event }) },
  { weight: 3, arbitrary: fc.record({ do: fc.constant('score' as const) }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('comeDue' as const) }) },
  { weight: 3, arbitrary: fc.record({ do: fc.constant('wait' as const), ms: one([1, 900, 4_000]) }) },
);
type Operation = typeof operation extends fc.Arbitrary<infer T> ? T : never;
type World = Awaited<ReturnType<typeof world>>;

type Recorded = { readonly workspace: string; readonly id: string };

/**
 * Revises and withdraws some of what was `recorded`. Answers which stream that had been there it deleted, as
 * `workspace/key`.
 */
async function step(real: World, each: Operation, recorded: Recorded[]): Promise<string | null> {
  if (each.do === 'wait') real.clock.now += each.ms;
  if (each.do === 'score') await real.score();
  if (each.do === 'comeDue') await real.comeDue();
  if ('which' in each && recorded.length > 0) {
    const { workspace, id } = recorded[each.which % recorded.length]!;
    const context = real.context(workspace);
    await (each.do === 'revise'
      ? real.commands.revise(workspace, id, each.changes, null, context)
      : real.commands.withdraw(workspace, id, null, context)
    ).catch(error => assert.instance(error, Rejected));
  }
  if (!('event' in each)) return null;
  const { workspace, key, text, occurredAt } = each.event;
  const context = real.context(workspace);
  if (each.do === 'record') {
    await real.commands.record(workspace, { key, text, occurredAt, details: each.details }, context);
    recorded.push({ workspace, id: eventIdOf(workspace, key, occurredAt, text) });
  }
  if (each.do !== 'deleteStream') return null;
  const was = await real.queries.stream(workspace, key);
  await real.commands.deleteStream(workspace, key, context);
  return was && `${workspace}/${key}`;
}

/** As documents are that an earlier version wrote. */
const carriedModels = (models: World['models']): World['models'] => ({
  ...models,
  find: async (...of) =>
    (await models.find(...of)).map(doc => {
      const { changed_at: _, before, ...rest } = doc as { changed_at?: number; before?: object };
      return { ...rest, ...(before && { before: { ...before, changed_at: undefined } }) } as never;
    }),
});

function readsOf(real: World, carried = false) {
  const from = (models: World['models']) => (p: Parameters<typeof reader>[1]) => reader(models, p, () => 0);
  const read = from(real.models);
  const market = {
    aliasesOf: async () => [],
    resolve: async (workspace: string, _: string, key: string) => ({ workspace, key }),
  };
  const reads = eventReads(read(eventsProjection), market);
  const kernel = {
    read: carried ? from(carriedModels(real.models)) : read,
    stores: { events: real.store },
  };
  const then = eventsPast(kernel as never, { queries: market } as never);
  return { reads, then, ...streamReads({ reads, then }) };
}

/** Everything that is read of events, of now or (`asOf`) of then. */
function reading(real: World, carried: boolean) {
  const { reads, then, upcoming, page } = readsOf(real, carried);
  const listNow = streamLists(reads, async () => new Map());
  const listThen = streamListsThen({ ...then, edges: async () => new Map() });
  const ids = (workspace: string, key: string) =>
    texts.flatMap(text => times.map(time => eventIdOf(workspace, key, time, text)));

  async function oneEvent(workspace: string, id: string, asOf: number | null) {
    if (asOf !== null) {
      const was = await then.event(workspace, id, asOf);
      return was && { ...was, event: { ...was.event }, valueNormalized: await was.valueNormalized() };
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
      const chunks = asOf === null ? listNow(workspace, of, now) : await listThen(workspace, of, asOf);
      for await (const chunk of chunks) text += String(chunk);
      const { streams, deleted_since = [] } = JSON.parse(text).data as Listed;
      return { streams, deleted_since };
    };
    const toCome = (named: readonly string[] | null, until: number, limit: number) =>
      upcoming(workspace, { asOf, from: now, until, keys: named, limit });
    const all = await toCome(null, now + HOUR, 1_000);
    const some = await Promise.all(keys.map(key => toCome([key], now + 3_000, 3)));
    const byKey = async <T>(of: (key: string) => Promise<T>) =>
      Object.fromEntries(await Promise.all(keys.map(async key => [key, await of(key)] as const)));
    return {
      lists: [await list('all', null), await list('all', 2), await list('none', null)],
      upcoming: [all, ...some].map(({ events, total, deletedSince }) => ({
        ...{ events: events.map(shown), total, gone: deletedSince ?? [] },
      })),
      streams: await byKey(key => pages(workspace, key, asOf).catch(codeOf)),
      none: await pages(workspace, 'none', asOf),
      events: await byKey(key => Promise.all(ids(workspace, key).map(id => oneEvent(workspace, id, asOf)))),
    };
  };
}
type Listed = { readonly streams: readonly { readonly key: string }[]; readonly deleted_since?: string[] };
type Said = Awaited<ReturnType<ReturnType<typeof reading>>>;

const codeOf = (error: unknown) => {
  assert.instance(error, Rejected);
  return (error as Rejected).code;
};

/** What is told of the same moment when streams were deleted since. */
function without(gone: readonly string[], said: Said): Said {
  if (gone.length === 0) return said;
  const [all, ...some] = said.upcoming;
  const events = all!.events.filter(({ key }) => !gone.includes(key as string));
  const each = (of: Said['streams'], become: (one: never) => unknown) =>
    Object.fromEntries(
      Object.entries(of).map(([k, one]) => [k, gone.includes(k) ? become(one as never) : one]),
    );
  return {
    ...said,
    lists: said.lists.map(({ streams }) => ({
      ...{ streams: streams.filter(({ key }) => !gone.includes(key)), deleted_since: [...gone] },
    })),
    upcoming: [
      { events, total: events.length, gone: [...gone] },
      ...some.map((one, i) => (gone.includes(keys[i]!) ? { events: [], total: 0, gone: [keys[i]!] } : one)),
    ],
    streams: each(said.streams, () => 'stream_deleted_since') as never,
    events: each(said.events, (them: readonly object[]) =>
      them.map(one => one && { ...one, valueNormalized: null }),
    ) as never,
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
  for (;;) {
    const page = await store.page(await models.checkpoint(checkpointName(eventsProjection, 0)), 5);
    if (page.length === 0) break;
    await applyPage(eventsProjection, models, 0, page);
  }
}

suite('events of a past moment', test => {
  test('are what was answered at that moment, whatever was written since', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(operation, { minLength: 3, maxLength: 25 }),
        fc.boolean(),
        async (operations, carried) => {
          const real = await world();
          const answers = reading(real, carried);
          const given: { readonly at: number; readonly said: readonly Said[] }[] = [];
          const recorded: Recorded[] = [];
          const deletions: { readonly at: number; readonly stream: string }[] = [];
          for (const each of operations) {
            const stream = await step(real, each, recorded);
            if (stream !== null) deletions.push({ at: real.clock.now, stream });
            await project(real);
            const at = real.clock.now;
            given.push({ at, said: await Promise.all(workspaces.map(of => answers(of, at, null))) });
            real.clock.now += 1;
          }
          for (const { at, said } of given) {
            const since = new Set(deletions.flatMap(one => (one.at > at ? one.stream : [])));
            const gone = (of: string) => keys.filter(key => since.has(`${of}/${key}`));
            const expected = said.map((one, i) => without(gone(workspaces[i]!), one));
            assert.equal(
              await Promise.all(workspaces.map(of => answers(of, at, at))),
              expected,
              `as of ${at}`,
            );
          }
        },
      ),
      { numRuns: RUNS },
    );
  });

  test('are refused where too many of them changed since', async () => {
    const real = await world();
    const context = real.context('w1');
    for (let i = 0; i <= 2_000; i++)
      await real.commands.record(
        'w1',
        { key: 'a', text: `Storm ${i}`, occurredAt: START + i, details: {} },
        context,
      );
    const at = real.clock.now + 1;
    await project(real);
    real.clock.now += 2;
    const { then, page } = readsOf(real);
    const of = { points: 'none', maxPoints: null } as const;
    const list = () => streamListsThen({ ...then, edges: async () => new Map() })('w1', of, at);
    await list();
    await real.score();
    await project(real);
    assert.is((await page('w1', 'a', at, [500, null, null])).events[0]!.status, 'pending');
    assert.is(await list().catch(codeOf), 'too_many_events');
  });
});
