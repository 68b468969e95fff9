import fc from 'fast-check';
import * as assert from 'uvu/assert';
import { memoryReadModels } from '../../adapters/memory-read-models.js';
import { memoryEventStore } from '../../adapters/memory.js';
import { eventCommands } from '../../commands/events.js';
import { handler, type Context } from '../../commands/engine/handle.js';
import { signalCommands } from '../../commands/signals.js';
import { byCodePoint, type Entry, type Filter } from '../../projections/catalogue/entries.js';
import { catalogue } from '../../projections/catalogue/queries.js';
import { eventsProjection } from '../../projections/events/projection.js';
import { eventQueries } from '../../projections/events/queries.js';
import { applyPage } from '../../projections/engine/apply.js';
import { checkpointName, collectionsOf, type Projection } from '../../projections/engine/projection.js';
import { reader } from '../../projections/engine/reader.js';
import { signalLists, type Order } from '../../projections/signals/lists.js';
import { signalsProjectionWith } from '../../projections/signals/projection.js';
import { signalQueries } from '../../projections/signals/queries.js';
import { suite } from '../suite.js';
import { catalogueKeys, NaiveCatalogue, type NaiveRow } from './naive-catalogue.js';

const RUNS = Number(process.env['PROPERTY_RUNS'] ?? 200);
const NOW = 1_800_000_000_000;
const keys = catalogueKeys;
const one = <T>(list: readonly T[]) => fc.constantFrom(...list);
const group = one([null, 'a', 'ungrouped', 'mine']);
const name = one([null, 'Ein Name', 'STRASSE']);
const operation = fc.oneof(
  {
    weight: 8,
    arbitrary: fc.record({
      do: fc.constant('push' as const),
      workspace: one(['w', 'other']),
      key: one(keys),
      times: fc.array(fc.nat(5), { minLength: 1, maxLength: 3 }),
    }),
  },
  {
    weight: 6,
    arbitrary: fc.record({
      do: fc.constant('record' as const),
      workspace: one(['w', 'w', 'other']),
      key: one(keys.slice(0, 2)),
      time: fc.nat(5),
      origin: one(['api', 'manual'] as const),
    }),
  },
  {
    weight: 4,
    arbitrary: fc.record({
      do: fc.constant('label' as const),
      key: one(keys.slice(0, 4)),
      group,
      name,
      stream: fc.boolean(),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({ do: fc.constant('delete' as const), key: one(keys), stream: fc.boolean() }),
  },
  { weight: 4, arbitrary: fc.record({ do: fc.constant('withdraw' as const), nth: fc.nat(6) }) },
);
type Operation = typeof operation extends fc.Arbitrary<infer T> ? T : never;
const filter: fc.Arbitrary<Filter> = fc.record({
  type: one([null, null, 'signal', 'event']),
  group: one([null, null, 'a', 'mine', 'ungrouped', 'marketplace']),
  origin: one([null, null, null, 'api', 'manual', 'marketplace']),
  search: one([null, null, 'A', 'ein', 'strasse', '\u{1f600}']),
});
const order: fc.Arbitrary<Order> = fc.record({
  by: one(['key', 'last_at', 'count']),
  descending: fc.boolean(),
});

/** Signals and streams of two workspaces over memory stores; what the other one has, 'w' subscribes to. */
async function world() {
  const store = memoryEventStore();
  const models = memoryReadModels();
  const signals = signalsProjectionWith(2);
  let ids = 0;
  const handle = handler(store, () => `00000000-0000-4000-8000-${String(ids++).padStart(12, '0')}`);
  const read = (p: Projection) => reader(models, p, () => 0);
  for (const p of [signals, eventsProjection]) await models.prepare(collectionsOf(p, 0));
  const lists = signalLists(read(signals));
  const events = eventQueries(read(eventsProjection));
  const aliasesOf = async (_: string, kind: 'signal' | 'stream') =>
    keys.slice(0, 3).map(key => ({
      alias: `${kind === 'signal' ? 'mkt' : 'mkt-evt'}:lst_1:${key}`,
      listingId: 'lst_1',
      workspace: 'other',
      key,
    }));
  const context = (workspace: string): Context => ({
    workspace,
    actor: 'token:t',
    request: null,
    correlation: 'c',
    causation: null,
    at: NOW,
  });
  return {
    lists,
    context,
    commands: signalCommands(handle, signalQueries(read(signals)).known),
    events: eventCommands(handle),
    catalogue: catalogue(lists, events, {
      aliasesOf,
      resolve: async (workspace, _, key) => ({ workspace, key }),
    }),
    async project() {
      for (const p of [signals, eventsProjection]) {
        const page = await store.page(await models.checkpoint(checkpointName(p, 0)), 10_000);
        if (page.length > 0) await applyPage(p, models, 0, page);
      }
    },
  };
}
type World = Awaited<ReturnType<typeof world>>;

async function both(real: World, naive: NaiveCatalogue, each: Operation): Promise<void> {
  const there = (id: string) => (naive.things.get(id)?.times.length ?? 0) > 0;
  if (each.do === 'push') {
    const { workspace, key } = each;
    const id = JSON.stringify([workspace, 'signal', key]);
    const known = naive.things.get(id)?.times ?? [];
    const times = [...new Set(each.times)].filter(time => !known.includes(time));
    await real.commands.push(
      workspace,
      [{ key, times: each.times, values: each.times.map(() => 1), unit: null, origin: 'api' }],
      real.context(workspace),
    );
    naive.add(id, times, 'api');
  } else if (each.do === 'record') {
    const { workspace, key, time, origin } = each;
    const text = `Event ${naive.recorded.length}`;
    const { eventId: id } = await real.events.record(
      workspace,
      { key, text, occurredAt: time, details: { origin } },
      real.context(workspace),
    );
    naive.recorded.push({ workspace, key, id, time });
    naive.add(JSON.stringify([workspace, 'event', key]), [time], origin);
  } else if (each.do === 'withdraw') {
    const event = naive.recorded[each.nth];
    const id = event && JSON.stringify([event.workspace, 'event', event.key]);
    if (!event || id === undefined || !there(id)) return;
    if (
      !(await real.events.withdraw(event.workspace, event.id, null, real.context(event.workspace)).then(
        () => true,
        () => false,
      ))
    )
      return;
    const { times } = naive.things.get(id)!;
    times.splice(times.indexOf(event.time), 1);
  } else {
    const id = JSON.stringify(['w', each.stream ? 'event' : 'signal', each.key]);
    const context = real.context('w');
    if (!there(id)) return;
    if (each.do === 'delete') {
      await (each.stream
        ? real.events.deleteStream('w', each.key, context)
        : real.commands.delete('w', each.key, context));
      naive.things.delete(id);
    } else {
      await (each.stream
        ? real.events.assignStreamGroup('w', each.key, each.group, context)
        : real.commands.assignGroup('w', each.key, each.group, context));
      await (each.stream
        ? real.events.nameStream('w', each.key, each.name, context)
        : real.commands.name('w', each.key, each.name, context));
      Object.assign(naive.things.get(id)!, { group: each.group, name: each.name });
    }
  }
  await real.project();
}

const seen = ({ type, key, doc: { last_at, count, group: its, name: called } }: Entry) => ({
  type,
  key,
  last: last_at,
  count,
  group: its,
  name: called,
});

suite('the catalogue of signals and event streams', test => {
  test('is in every part of every order what a naive list says, whatever was done', () =>
    fc.assert(
      fc.asyncProperty(
        fc.array(operation, { maxLength: 40 }),
        fc.array(fc.tuple(filter, order, fc.integer({ min: 1, max: 4 })), { minLength: 1, maxLength: 5 }),
        async (operations, asked) => {
          const real = await world();
          const naive = new NaiveCatalogue();
          for (const [i, each] of operations.entries()) {
            await both(real, naive, each);
            // In between, too: what is remembered of an answer must not show in the next one
            if (i % 4 === 3) await agree(real, naive, asked[i % asked.length]!);
          }
          for (const each of asked) await agree(real, naive, each);
          await counted(real, naive);
        },
      ),
      { numRuns: RUNS, includeErrorInReport: true },
    ));
});

type Asked = readonly [Filter, Order, limit: number];

async function agree(
  real: World,
  naive: NaiveCatalogue,
  [wanted, { by, descending }, limit]: Asked,
): Promise<void> {
  const value = (row: NaiveRow) => ({ key: 0, count: row.count, last_at: row.last })[by];
  const expected = naive
    .rows()
    .filter(
      row =>
        (wanted.type === null || row.type === wanted.type)
        && (wanted.group === null || row.group === wanted.group)
        && (wanted.origin === null || row.origin === wanted.origin)
        && (wanted.search === null
          || [row.key, row.name ?? ''].some(text =>
            text.toLowerCase().includes(wanted.search!.toLowerCase()),
          )),
    )
    .sort(
      (a, b) =>
        (descending ? -1 : 1)
        * (value(a) - value(b) || byCodePoint(a.key, b.key) || (a.type < b.type ? -1 : 1)),
    );
  const found: object[] = [];
  for (let offset = 0; offset <= expected.length; offset += limit) {
    const { entries, total } = await real.catalogue.page('w', wanted, { by, descending }, offset, limit);
    assert.is(total, expected.length);
    found.push(...entries.map(seen));
  }
  assert.equal(
    found,
    expected.map(({ kind: _, origin: __, ...row }) => row),
    JSON.stringify([wanted, by, descending, limit]),
  );
}

/** The groups that are counted while facts come are those that a count would find. */
async function counted({ lists }: World, naive: NaiveCatalogue): Promise<void> {
  const expected = new Map<string, Record<string, number>>();
  for (const { type, group: its, kind } of naive.rows()) {
    if (type === 'event' || kind === 'marketplace') continue;
    const kinds = expected.get(its) ?? {};
    expected.set(its, { ...kinds, [kind]: (kinds[kind] ?? 0) + 1 });
  }
  const found = await lists.largestGroups('w', 100);
  const sum = (kinds: Record<string, number>) => Object.values(kinds).reduce((a, b) => a + b, 0);
  assert.equal(
    Object.fromEntries(
      found.map(({ name: its, kinds }) => [
        its,
        Object.fromEntries(Object.entries(kinds).filter(([, count]) => count > 0)),
      ]),
    ),
    Object.fromEntries(expected),
  );
  assert.equal(
    found.map(({ count }) => count),
    [...expected.values()].map(sum).sort((a, b) => b - a),
  );
  for (const [its, kinds] of expected)
    assert.is(await lists.count({ workspace: 'w', group: its }), sum(kinds));
}
