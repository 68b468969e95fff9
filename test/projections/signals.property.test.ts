import fc from 'fast-check';
import * as assert from 'uvu/assert';
import { Rejected } from '../../domain/rejected.js';
import { EARLIEST, LATEST } from '../../domain/time.js';
import { checkpointName } from '../../projections/engine/projection.js';
import { suite } from '../suite.js';
import { NaiveSignals } from './naive-signals.js';
import {
  aPush,
  factsOf,
  replayed,
  sameSignals,
  signalsWorld,
  textOf,
  type SignalsWorld,
} from './signals-world.js';

const RUNS = Number(process.env['PROPERTY_RUNS'] ?? 300);
const workspaces = ['w1', 'w2'];
const keys = ['a', 'a/0000000000', 'shop.b__x'];
const one = <T>(list: readonly T[]) => fc.constantFrom(...list);
const at = { workspace: one(workspaces), key: one(keys) };

/** Close together, so that pushes meet; now and then at the ends of time. */
const early = fc.integer({ min: 0, max: 60 });
const time = fc.oneof({ weight: 30, arbitrary: early }, { weight: 1, arbitrary: one([EARLIEST, LATEST]) });
const value = one([0, 1, 2, -1.5, 1e300]);
const scattered = fc.array(fc.tuple(time, value), { minLength: 1, maxLength: 12 });
const few = fc.array(fc.tuple(fc.integer({ min: 0, max: 2 }), one([0, 1])), { minLength: 1, maxLength: 3 });
const inTurn = fc
  .record({
    from: early,
    step: fc.integer({ min: 1, max: 4 }),
    values: fc.array(value, { minLength: 1, maxLength: 12 }),
  })
  .map(({ from, step, values }) => values.map((v, i) => [from + i * step, v] as [number, number]));
const pairs = fc.oneof(scattered, inTurn, few);
const operation = fc.oneof(
  {
    weight: 10,
    arbitrary: fc.record({
      do: fc.constant('push' as const),
      ...at,
      pairs,
      unit: one([null, null, null, 'EUR', 'kg']),
    }),
  },
  { weight: 4, arbitrary: fc.record({ do: fc.constant('again' as const), nth: fc.nat(3) }) },
  {
    weight: 2,
    arbitrary: fc.record({
      do: fc.constant('label' as const),
      ...at,
      member: one(['unit', 'group', 'name'] as const),
      text: one([null, 'x', 'y']),
    }),
  },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('delete' as const), ...at }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('wait' as const), ms: one([1, 1_000]) }) },
  {
    weight: 6,
    arbitrary: fc.record({
      do: fc.constant('project' as const),
      page: one([1, 2, 3, 50]),
      pages: one([1, 2, Infinity]),
    }),
  },
);
type Operation = typeof operation extends fc.Arbitrary<infer T> ? T : never;
/** `again`: the push so and so many before the last once more. */
type Doing = Exclude<Operation, { do: 'again' }>;
type Pushing = Extract<Operation, { do: 'push' }>;
const range = fc.tuple(time, time, fc.integer({ min: 1, max: 20 }));
const everything = [EARLIEST, LATEST, 1_000] as const;

suite('any interleaving of pushes, labels, deletions and new pushes, with read models that lag', test => {
  test('answers, and leaves the read models, as a naive model says', () =>
    fc.assert(
      fc.asyncProperty(
        fc.array(operation, { maxLength: 40 }),
        fc.array(range, { minLength: 1, maxLength: 4 }),
        fc.integer({ min: 2, max: 6 }),
        fc.integer({ min: 1, max: 12 }),
        async (operations, ranges, leafPoints, mostLeaves) => {
          const real = await signalsWorld({ leafPoints, mostLeaves });
          const naive = new Map(workspaces.map(w => [w, new NaiveSignals()]));
          const pushes: Pushing[] = [];
          for (const each of operations) {
            const done = each.do === 'again' ? pushes.at(-1 - each.nth) : each;
            if (!done) continue;
            if (done.do === 'push') pushes.push(done);
            await both(real, naive, done);
            if (each.do === 'project') await asFar(real, ranges);
          }
          await real.project(5);
          for (const [workspace, model] of naive)
            await sameSignals(real.queries, workspace, model, keys, [everything, ...ranges]);
          const live = await textOf(real.models, real.projection);
          for (const pageSize of [1, 4, 1_000])
            assert.is(await replayed(real, pageSize), live, `a replay in pages of ${pageSize}`);
        },
      ),
      { numRuns: RUNS, includeErrorInReport: true },
    ));
});

/** What is read is what the facts say up to where the read models stand. */
async function asFar(
  { store, models, projection, queries }: SignalsWorld,
  ranges: readonly [number, number, number][],
): Promise<void> {
  const facts = await factsOf(store, await models.checkpoint(checkpointName(projection, 0)));
  for (const workspace of workspaces) {
    await sameSignals(queries, workspace, facts.get(workspace) ?? new NaiveSignals(), keys, [
      everything,
      ...ranges,
    ]);
  }
}

async function both(
  real: SignalsWorld,
  naive: ReadonlyMap<string, NaiveSignals>,
  each: Doing,
): Promise<void> {
  if (each.do === 'wait') {
    real.clock.now += each.ms;
    return;
  }
  if (each.do === 'project') return real.project(each.page, each.pages);
  const { workspace, key } = each;
  const model = naive.get(workspace)!;
  const context = real.context(workspace);
  if (each.do === 'push') {
    const [pushed] = await real.commands.push(workspace, [aPush(key, each.pairs, each.unit)], context);
    const { recorded, revised, duplicates } = pushed!;
    assert.equal({ recorded, revised, duplicates }, model.push(key, each.pairs, each.unit, context.at));
    return;
  }
  const { commands } = real;
  const label = { unit: commands.assignUnit, group: commands.assignGroup, name: commands.name };
  const asked =
    each.do === 'delete'
      ? commands.delete(workspace, key, context)
      : label[each.member](workspace, key, each.text, context);
  const there = each.do === 'delete' ? model.delete(key) : model.label(key, each.member, each.text);
  assert.is(
    await asked.then(
      () => true,
      (error: unknown) => {
        assert.instance(error, Rejected);
        return false;
      },
    ),
    there,
  );
}
