import fc from 'fast-check';
import * as assert from 'uvu/assert';
import { EARLIEST, LATEST } from '../../domain/time.js';
import { collectionName } from '../../projections/engine/projection.js';
import type { PointsLeaf } from '../../projections/signals/documents.js';
import { suite } from '../suite.js';
import { aPush, joined, signalsWorld } from './signals-world.js';

const LEAF = 64;
/** What a leaf takes where one point comes after the other. */
const SMALL = 16;

async function signal() {
  const { commands, context, project, models, projection, queries } = await signalsWorld({
    leafPoints: LEAF,
  });
  return {
    /** Values 0, 1, ... at times from one second on. */
    async push(from: number, count: number): Promise<void> {
      const points = Array.from({ length: count }, (_, i): [number, number] => [from + i, from + i]);
      await commands.push('w', [aPush('k', points)], context('w'));
      await project();
    },
    points: async () => joined(queries.points('w', 'k', EARLIEST, LATEST)),
    newest: (count: number) => queries.newestOfEach([{ workspace: 'w', key: 'k' }], count),
    async leaves(): Promise<(PointsLeaf & { readonly _at: number })[]> {
      const found = await models.find<PointsLeaf>(collectionName(projection, 'signal_points', 0), {
        where: {},
        sort: { by: ['_id'] },
      });
      return found.filter(({ from }) => from !== null);
    },
  };
}

suite('leaves of points', test => {
  test('stay small while one point comes after the other', async () => {
    const { push, leaves, points } = await signal();
    for (let i = 0; i < 100; i++) await push(i, 1);
    const sizes = (await leaves()).map(leaf => leaf.points.values.length);
    assert.equal(sizes, [...new Array<number>(6).fill(SMALL), 4]);
    assert.is((await points()).length, 100);
  });

  test('are filled up by long pushes, and left alone by a point behind them', async () => {
    const { push, leaves } = await signal();
    await push(0, 40);
    await push(40, 30);
    const [full, rest] = await leaves();
    assert.equal([full!.points.values.length, rest!.points.values.length], [LEAF, 6]);
    await push(70, 24);
    await push(94, 1);
    const after = await leaves();
    assert.equal(
      after.map(leaf => leaf.points.values.length),
      [LEAF, 30, 1],
    );
    assert.is(after[0]!._at, full!._at);
  });

  test('hold every point, whatever comes in which parts', () =>
    fc.assert(
      fc.asyncProperty(
        fc.array(fc.tuple(fc.nat(300), fc.constantFrom(1, 1, 1, 2, 3, 20, 70)), {
          minLength: 1,
          maxLength: 25,
        }),
        async parts => {
          const { push, points, newest } = await signal();
          const all = new Set<number>();
          for (const [from, count] of parts) {
            await push(from, count);
            for (let i = 0; i < count; i++) all.add(from + i);
          }
          const expected = [...all].sort((a, b) => a - b);
          assert.equal(
            await points(),
            expected.map(time => [time, time]),
          );
          const [last] = await newest(20);
          assert.equal(last!.times, expected.slice(-20));
        },
      ),
      { numRuns: 60 },
    ));
});
