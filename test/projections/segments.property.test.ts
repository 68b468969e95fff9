import { join } from 'node:path';
import { randomUUID } from 'node:crypto';
import fc from 'fast-check';
import * as assert from 'uvu/assert';
import { embeddedReadModels } from '../../adapters/embedded/read-models.js';
import { memoryReadModels } from '../../adapters/memory-read-models.js';
import { memoryEventStore } from '../../adapters/memory.js';
import { handler, loader } from '../../commands/engine/handle.js';
import type { Fact } from '../../domain/fact.js';
import { Rejected } from '../../domain/rejected.js';
import type { SegmentCommand } from '../../domain/segments/commands.js';
import { segmentJournalId, segments } from '../../domain/segments/decider.js';
import type { SegmentFact } from '../../domain/segments/facts.js';
import type { LiveSegment, SegmentState } from '../../domain/segments/state.js';
import { applyPage } from '../../projections/engine/apply.js';
import { collectionsOf } from '../../projections/engine/projection.js';
import type { ReadModels, Stored } from '../../projections/engine/read-models.js';
import { reader } from '../../projections/engine/reader.js';
import { withDecided } from '../../projections/segments/changes.js';
import type { SegmentDoc } from '../../projections/segments/documents.js';
import { segmentsProjection } from '../../projections/segments/projection.js';
import { segmentQueries } from '../../projections/segments/queries.js';
import { hour, lag, recipe, table } from '../domain/segments-given.js';
import { pagesOf } from '../crash/audit.js';
import { temporaryFolder } from '../platform.js';
import { suite } from '../suite.js';

const workspace = 'w';
const ids = ['seg_a', 'seg_b'];
const recipes = [recipe(), recipe({ features: [lag('x', 'orders', 1)] }), recipe({ step_s: 60 })];
const one = <T>(list: readonly T[]) => fc.constantFrom(...list);
const step = fc.record({
  segmentId: one(ids),
  do: one([
    ...(['create', 'create', 'revise', 'rename', 'rebuild', 'start', 'start', 'start', 'delete'] as const),
    ...(['finish', 'finish', 'finish', 'fail', 'stale', 'stale', 'stale'] as const),
  ]),
  recipe: one(recipes),
  /** Of the build that was asked for last, mostly. */
  late: fc.nat(4),
  hour: fc.nat(120),
});
type Step = typeof step extends fc.Arbitrary<infer T> ? T : never;

function commandOf(step: Step, state: SegmentState, now: number, head: number): SegmentCommand {
  const of = { workspace, segmentId: step.segmentId };
  const { last } = state.status === 'none' ? { last: { build: 1, attempt: 1 } } : state;
  const build = step.late === 0 ? last.build - 1 : last.build;
  switch (step.do) {
    case 'create':
      return { type: 'CreateSegment', data: { ...of, name: 'S', description: '', recipe: step.recipe } };
    case 'revise':
      return { type: 'ReviseSegment', data: { ...of, seen: null, recipe: step.recipe } };
    case 'rename':
      return { type: 'ReviseSegment', data: { ...of, seen: null, name: `S${step.hour}` } };
    case 'rebuild':
      return { type: 'RebuildSegment', data: of };
    case 'start':
      return { type: 'StartBuild', data: { ...of, build } };
    case 'finish': {
      const built = table({ table_hash: `h${now}` });
      const attempt = step.late === 1 ? last.attempt - 1 : last.attempt;
      return { type: 'FinishBuild', data: { ...of, build, attempt, table: built } };
    }
    case 'fail':
      return { type: 'FailBuild', data: { ...of, build, code: 'c', message: 'm' } };
    case 'stale': {
      const read = { kind: 'signal', key: 'orders' } as const;
      const times = { from: hour(step.hour), to: hour(step.hour) };
      const change = { read, times, entity: null, upTo: Math.max(0, head - step.late) };
      return { type: 'MarkStale', data: { ...of, changes: [change], at: now } };
    }
    case 'delete':
      return { type: 'DeleteSegment', data: { ...of, seen: null } };
  }
}

type Moment = { readonly at: number; readonly segmentId: string; readonly state: SegmentState };

/** What was decided of all steps, and how the segments stood after each that led to something. */
async function lived(steps: readonly Step[]) {
  const store = memoryEventStore();
  const [handle, load] = [handler(store, randomUUID), loader(store)];
  const moments: Moment[] = [];
  let now = 1_000;
  for (const each of steps) {
    const { segmentId } = each;
    now += 10_000;
    const before = await load(segments, segmentJournalId(workspace, segmentId));
    const command = commandOf(each, before, now, await store.head());
    const context = { workspace, actor: 'a', request: null, correlation: 'c', causation: null, at: now };
    try {
      const { facts, after } = await handle(segments, command, context);
      if (facts.length > 0) moments.push({ at: now, segmentId, state: after });
    } catch (error) {
      if (!(error instanceof Rejected)) throw error;
    }
  }
  const facts: Fact[] = [];
  for await (const fact of pagesOf(store)) facts.push(fact);
  return { facts, moments };
}

const shown = (doc: SegmentDoc | null) =>
  doc && {
    ...{ status: doc.status, name: doc.name, recipe: doc.recipe, version: doc.version },
    ...{ revision: doc.revision, table: doc.table?.table_hash, built: doc.table?.version },
    ...{ build: doc.build, attempt: doc.attempt, startedAt: doc.started_at, rows: doc.changed_rows },
    open: doc.open,
  };
const expected = (state: SegmentState) => {
  if (state.status === 'none') return null;
  const { status, name, recipe, version, revision, table, last, changed }: LiveSegment = state;
  return {
    ...{ status, name, recipe, version, revision, table: table?.table_hash, built: table?.version },
    ...{ build: last.build, attempt: last.attempt, startedAt: last.startedAt, rows: changed?.rows ?? null },
    open: status === 'building',
  };
};

suite('segments in documents, against what is decided', test => {
  const folder = temporaryFolder();
  const opened: ReadModels[] = [];
  let files = 0;
  test.after(async () => {
    await Promise.all(opened.map(models => models.close()));
    folder.remove();
  });
  const inMemory = memoryReadModels;
  const embedded = () => {
    const models = embeddedReadModels(join(folder.path, `${files++}.db`));
    opened.push(models);
    return models;
  };
  const names = collectionsOf(segmentsProjection, 0).map(({ name }) => name);

  async function projected(models: ReadModels, facts: readonly Fact[], sizes: readonly number[]) {
    await models.prepare(collectionsOf(segmentsProjection, 0));
    for (let from = 0, i = 0; from < facts.length; i++) {
      const size = sizes[i % Math.max(1, sizes.length)] ?? facts.length;
      const page = facts.slice(from, from + size);
      await applyPage(segmentsProjection, models, 0, page);
      if (size % 3 === 0) await applyPage(segmentsProjection, models, 0, page);
      from += size;
    }
    const docs: Record<string, Stored[]> = {};
    for (const name of names)
      docs[name] = await models.find(name, { where: {}, sort: { by: ['_id'] }, limit: 1_000 });
    return docs;
  }

  for (const [name, open, numRuns] of [
    ['memory', inMemory, 200],
    ['embedded', embedded, 15],
  ] as const)
    test(`in pages of any size, some of them applied twice: ${name}`, () =>
      fc.assert(
        fc.asyncProperty(
          fc.array(step, { maxLength: 60, size: 'max' }),
          fc.array(fc.integer({ min: 1, max: 9 })),
          async (steps, sizes) => {
            const { facts, moments } = await lived(steps);
            const models = open();
            const docs = await projected(models, facts, sizes);
            assert.equal(docs, await projected(inMemory(), facts, []));
            const queries = segmentQueries(reader(models, segmentsProjection, () => 0));
            for (const id of ids) {
              const mine = moments.filter(({ segmentId }) => segmentId === id);
              const gone = mine.findLastIndex(({ state }) => state.status === 'none');
              const state = mine.at(-1)?.state ?? { status: 'none' };
              assert.equal(shown(await queries.segment(workspace, id)), expected(state));
              for (const [i, { at, state }] of mine.entries())
                assert.equal(
                  shown(await queries.segmentThen(workspace, id, at)),
                  i <= gone ? null : expected(state),
                );
            }
          },
        ),
        { numRuns },
      ));

  test('what people decide can be told before documents hold it', () =>
    fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 30, size: 'max' }), async steps => {
        const { facts } = await lived(steps);
        const docs = new Map<string, SegmentDoc | null>();
        const models = inMemory();
        await models.prepare(collectionsOf(segmentsProjection, 0));
        const queries = segmentQueries(reader(models, segmentsProjection, () => 0));
        for (const fact of facts as Fact<SegmentFact>[]) {
          const { segmentId } = fact.data;
          const early = withDecided(docs.get(segmentId) ?? null, [fact]);
          await applyPage(segmentsProjection, models, 0, [fact]);
          const doc = await queries.segment(workspace, segmentId);
          docs.set(segmentId, doc);
          if (/Created|Renamed|Revised|Requested/.test(fact.type)) assert.equal(shown(early), shown(doc));
        }
      }),
      { numRuns: 100 },
    ));
});
