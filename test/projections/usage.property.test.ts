import { join } from 'node:path';
import fc from 'fast-check';
import * as assert from 'uvu/assert';
import { embeddedReadModels } from '../../adapters/embedded/read-models.js';
import { memoryReadModels } from '../../adapters/memory-read-models.js';
import type { Fact } from '../../domain/fact.js';
import { DAY } from '../../domain/time.js';
import { applyPage } from '../../projections/engine/apply.js';
import { collectionsOf } from '../../projections/engine/projection.js';
import type { ReadModels } from '../../projections/engine/read-models.js';
import { reader } from '../../projections/engine/reader.js';
import { usageProjection } from '../../projections/usage/projection.js';
import { USAGE_GROUPS, usageQueries } from '../../projections/usage/queries.js';
import { temporaryFolder } from '../platform.js';
import { suite } from '../suite.js';

const FIRST = Date.parse('2026-03-30T00:00:00Z');
const workspaces = ['w1', 'w2'];

type Paid = {
  readonly item: string;
  readonly pipeline: string;
  readonly goal: string;
  readonly amount: number;
};
/** A fact, and what it counts as: written down here apart from the projection. */
type Happening = {
  readonly type: string;
  readonly data: unknown;
  readonly rows: number;
  readonly calls: number;
  readonly bytes: number;
  readonly paid: Paid | null;
};
const counting = (type: string, data: unknown, rows: number, calls: number, bytes: number): Happening => ({
  ...{ type, data, rows, calls, bytes },
  paid: null,
});
const points = (type: string) =>
  fc
    .integer({ min: 1, max: 5 })
    .map(count => counting(type, { points: { values: Array<number>(count).fill(1) } }, count, 0, 16 * count));
const happening: fc.Arbitrary<Happening> = fc.oneof(
  fc.constantFrom(
    counting('EventRecorded', { text: 'abc' }, 1, 0, 3),
    counting('EventRecorded', { text: '嵐', raw: [1, 2] }, 1, 0, 3 + 5),
    counting('EventRevised', { changes: { name: 'x' } }, 1, 0, '{"name":"x"}'.length),
    counting('InferenceCompleted', {}, 0, 1, 0),
    counting('InferenceFailed', {}, 0, 1, 0),
    counting('EventScored', {}, 0, 0, 0),
    counting('InferenceCancelled', {}, 0, 0, 0),
  ),
  points('PointsRecorded'),
  points('PointsRevised'),
  fc
    .record({
      item: fc.constantFrom('inference.series_step', 'training.custom'),
      pipeline: fc.constantFrom('', 'pip_1'),
      goal: fc.constantFrom('', '', 'goa_1'),
      amount: fc.integer({ min: 0, max: 9 }),
    })
    .map(
      (paid): Happening => ({
        ...counting('CreditsCharged', {}, 0, 0, 0),
        data: {
          price: { item: paid.item, quantity: 1, amount: paid.amount },
          pipelineId: paid.pipeline || null,
          ...(paid.goal !== '' && { goalId: paid.goal }),
        },
        paid,
      }),
    ),
);
const history = fc.array(
  fc.record({
    workspace: fc.constantFrom(...workspaces),
    /** Clocks go back now and then. */
    hours: fc.integer({ min: 0, max: 80 }),
    happening,
  }),
  { maxLength: 60 },
);
type History = typeof history extends fc.Arbitrary<infer T> ? T : never;

const factsOf = (past: History): Fact[] =>
  past.map(({ workspace, hours, happening: { type, data } }, i) => ({
    ...{ id: `f${i}`, type, data, at: FIRST + hours * 3_600_000, journal: 'j', revision: i, position: i },
    meta: { workspace, actor: 'a', request: null, correlation: 'c', causation: null },
  }));

suite('usage against a naive count', test => {
  const folder = temporaryFolder();
  const opened: ReadModels[] = [];
  let files = 0;
  test.after(async () => {
    await Promise.all(opened.map(models => models.close()));
    folder.remove();
  });
  const stores: Readonly<Record<string, readonly [() => ReadModels, runs: number]>> = {
    memory: [memoryReadModels, 300],
    embedded: [() => embeddedReadModels(join(folder.path, `${files++}.db`)), 20],
  };

  for (const [name, [open, numRuns]] of Object.entries(stores))
    test(`in pages of any size, some of them applied twice: ${name}`, () =>
      fc.assert(
        fc.asyncProperty(history, fc.array(fc.integer({ min: 1, max: 9 })), async (past, sizes) => {
          const models = open();
          if (name === 'embedded') opened.push(models);
          await models.prepare(collectionsOf(usageProjection, 0));
          const facts = factsOf(past);
          for (let from = 0, i = 0; from < facts.length; i++) {
            const size = sizes[i % Math.max(1, sizes.length)] ?? 7;
            const page = facts.slice(from, from + size);
            await applyPage(usageProjection, models, 0, page);
            if (size % 3 === 0) await applyPage(usageProjection, models, 0, page);
            from += size;
          }
          await same(usageQueries(reader(models, usageProjection, () => 0)), past);
        }),
        { numRuns },
      ));
});

async function same(queries: ReturnType<typeof usageQueries>, past: History): Promise<void> {
  for (const workspace of workspaces) {
    const mine = past.filter(each => each.workspace === workspace);
    for (const at of [FIRST, FIRST + 2 * DAY]) {
      const monthly = mine.filter(({ hours }) => monthIn(hours) === new Date(at).getUTCMonth());
      assert.equal(await queries.counted(workspace, at), {
        rows: sum(monthly, ({ happening: { rows } }) => rows),
        calls: sum(monthly, ({ happening: { calls } }) => calls),
        bytes: sum(mine, ({ happening: { bytes } }) => bytes),
      });
    }
    for (const group of USAGE_GROUPS)
      for (const [from, to] of [
        [0, 3],
        [1, 2],
        [3, 3],
      ] as const) {
        const found = await queries.spent(workspace, FIRST + from * DAY + 5, FIRST + to * DAY, group);
        assert.equal(found, naiveSpent(mine, from, to, group));
      }
  }
}

const monthIn = (hours: number): number => (hours < 48 ? 2 : 3);
const sum = <T>(list: readonly T[], of: (each: T) => number): number =>
  list.reduce((total, each) => total + of(each), 0);

function naiveSpent(mine: History, from: number, to: number, group: (typeof USAGE_GROUPS)[number]) {
  const paid = mine.flatMap(({ hours, happening: { paid: each } }) => {
    const day = Math.floor(hours / 24);
    return each && day >= from && day <= to ? [{ ...each, day }] : [];
  });
  const days = ['2026-03-30', '2026-03-31', '2026-04-01', '2026-04-02'];
  const keyOf = ({ day, item, pipeline, goal }: (typeof paid)[number]): string =>
    ({ day: days[day]!, item, pipeline: pipeline || 'none', goal: goal || 'none' })[group];
  const total = (those: typeof paid) => ({
    amount: sum(those, ({ amount }) => amount),
    charges: those.length,
  });
  const keys = [...new Set(paid.map(keyOf))].sort();
  return {
    buckets: keys.map(key => ({ key, ...total(paid.filter(each => keyOf(each) === key)) })),
    total: total(paid),
  };
}
