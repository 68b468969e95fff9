import * as assert from 'uvu/assert';
import { memoryReadModels } from '../../adapters/memory-read-models.js';
import { memoryEventStore } from '../../adapters/memory.js';
import { handler, type Context } from '../../commands/engine/handle.js';
import { signalCommands, type Push } from '../../commands/signals.js';
import type { EventStore } from '../../commands/ports/event-store.js';
import { START, type Fact } from '../../domain/fact.js';
import { autoGroupOf } from '../../domain/maths/series/units.js';
import type { SignalFact } from '../../domain/signals/facts.js';
import { unpacked, valuesOf, type Columns } from '../../domain/signals/points.js';
import { applyPage } from '../../projections/engine/apply.js';
import { checkpointName, collectionsOf, type Projection } from '../../projections/engine/projection.js';
import type { ReadModels } from '../../projections/engine/read-models.js';
import { reader } from '../../projections/engine/reader.js';
import { signalsProjectionWith } from '../../projections/signals/projection.js';
import { signalQueries, type SignalQueries } from '../../projections/signals/queries.js';
import { inOrder, NaiveSignals, type NaiveRevision } from './naive-signals.js';

const uuids = () => {
  let n = 0;
  return () => `00000000-0000-4000-8000-${String(n++).padStart(12, '0')}`;
};
export const signalQueriesOn = (models: ReadModels, p: Projection): SignalQueries =>
  signalQueries(reader(models, p, () => 0));
export const aPush = (
  key: string,
  pairs: readonly (readonly [number, number])[],
  unit: string | null = null,
): Push => ({
  key,
  times: pairs.map(([time]) => time),
  values: pairs.map(([, value]) => value),
  unit,
  origin: 'api',
});

/**
 * Commands and read models of signals over memory stores; the projection comes on when it is told to, the
 * clock too.
 */
export async function signalsWorld({
  leafPoints = 3,
  mostLeaves = 2_000,
  store = memoryEventStore(),
  models = memoryReadModels(),
} = {}) {
  const projection = signalsProjectionWith(leafPoints, mostLeaves);
  const clock = { now: 1_800_000_000_000 };
  await models.prepare(collectionsOf(projection, 0));
  const queries = signalQueriesOn(models, projection);
  const newId = uuids();
  const context = (workspace: string): Context => ({
    workspace,
    actor: 'token:t',
    request: null,
    correlation: 'c',
    causation: null,
    at: clock.now,
  });
  /** At most so many pages. */
  const project = async (pageSize = 100, pages = Infinity) => {
    for (let n = 0; n < pages; n++) {
      const page = await store.page(await models.checkpoint(checkpointName(projection, 0)), pageSize);
      if (page.length === 0) return;
      await applyPage(projection, models, 0, page);
    }
  };
  return {
    store,
    models,
    projection,
    queries,
    clock,
    context,
    project,
    commands: signalCommands(handler(store, newId), queries.known),
  };
}
export type SignalsWorld = Awaited<ReturnType<typeof signalsWorld>>;

/** Facts up to a position, taken at their word. */
export async function factsOf(store: EventStore, until: number): Promise<Map<string, NaiveSignals>> {
  const all = new Map<string, NaiveSignals>();
  for (const fact of await store.page(START, 1_000_000)) {
    if (fact.position > until) break;
    const workspace = fact.meta.workspace!;
    const mine = all.get(workspace) ?? new NaiveSignals();
    all.set(workspace, mine);
    mine.take(fact as Fact<SignalFact>);
  }
  return all;
}

export const joined = async (parts: AsyncIterable<Columns>): Promise<[number, number][]> => {
  const all: [number, number][] = [];
  for await (const { times, values } of parts) times.forEach((time, i) => all.push([time, values[i]!]));
  return all;
};

/**
 * Everything that is read of a workspace's signals is what the naive model says. `ranges`: from, to and a
 * count.
 */
export async function sameSignals(
  queries: SignalQueries,
  workspace: string,
  naive: NaiveSignals,
  keys: readonly string[],
  ranges: readonly (readonly [number, number, number])[],
): Promise<void> {
  let all = 0;
  for (const key of keys) {
    const signal = naive.signals.get(key);
    const doc = await queries.signal(workspace, key);
    const points = signal ? inOrder(signal) : [];
    all += points.length;
    assert.is(doc === null, signal === undefined, `whether ${workspace}/${key} is there`);
    if (signal) {
      const last = points.at(-1)!;
      assert.equal(
        [
          doc!.count,
          doc!.first_at,
          doc!.last_at,
          doc!.last_value,
          doc!.reported_unit,
          doc!.assigned_unit,
          doc!.name,
          doc!.group,
          doc!.assigned,
        ],
        [
          points.length,
          points[0]![0],
          last[0],
          last[1].value,
          signal.reported,
          signal.unit,
          signal.name,
          signal.group ?? autoGroupOf(key),
          signal.group !== null,
        ],
        `${workspace}/${key}`,
      );
    }
    assert.equal(
      await revisionsOf(queries, workspace, key),
      sorted(signal?.revisions ?? []),
      `revisions of ${workspace}/${key}`,
    );
    for (const [from, to, count] of ranges) {
      const within = points
        .filter(([time]) => time >= from && time <= to)
        .map(([time, { value }]) => [time, value]);
      assert.equal(
        await joined(queries.points(workspace, key, from, to)),
        within,
        `points of ${workspace}/${key} from ${from} to ${to}`,
      );
      const { times, values } = await queries.newest(workspace, key, to, count);
      const newest = points
        .filter(([time]) => time <= to)
        .slice(-count)
        .map(([time, { value }]) => [time, value]);
      assert.equal(
        times.map((time, i) => [time, values[i]]),
        newest,
        `newest ${count} of ${workspace}/${key} to ${to}`,
      );
    }
  }
  const { signals, points } = await queries.totals(workspace);
  assert.equal({ signals, points }, { signals: naive.signals.size, points: all }, `all of ${workspace}`);
}

async function revisionsOf(queries: SignalQueries, workspace: string, key: string): Promise<NaiveRevision[]> {
  const found: NaiveRevision[] = [];
  for await (const page of queries.revisions(workspace, key))
    for (const { points, was, since, until } of page) {
      const at = valuesOf(since);
      unpacked(points).times.forEach((time, i) => found.push({ time, was: was[i]!, since: at[i]!, until }));
    }
  return sorted(found);
}

const sorted = (revisions: readonly NaiveRevision[]): NaiveRevision[] =>
  [...revisions].sort((a, b) => a.time - b.time);

/** All documents, as text. */
export const textOf = async (models: ReadModels, p: Projection): Promise<string> =>
  JSON.stringify(
    await Promise.all(
      collectionsOf(p, 0).map(async ({ name }) => [
        name,
        await models.find(name, { where: {}, sort: { by: ['_id'] } }),
      ]),
    ),
    null,
    1,
  );

/** What a replay of all facts makes of nothing, page by page. */
export async function replayed(
  { store, projection }: Pick<SignalsWorld, 'store' | 'projection'>,
  pageSize: number,
): Promise<string> {
  const models = memoryReadModels();
  await models.prepare(collectionsOf(projection, 0));
  for (let at = START; ; ) {
    const page = await store.page(at, pageSize);
    if (page.length === 0) return textOf(models, projection);
    await applyPage(projection, models, 0, page);
    at = page.at(-1)!.position;
  }
}
