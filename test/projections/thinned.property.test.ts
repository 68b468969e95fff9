import fc from 'fast-check';
import * as assert from 'uvu/assert';
import { reader } from '../../projections/engine/reader.js';
import { thinnedSignals } from '../../projections/signals/thinned.js';
import { suite } from '../suite.js';
import { inOrder, NaiveSignals } from './naive-signals.js';
import { aPush, signalsWorld } from './signals-world.js';

const RUNS = Number(process.env['PROPERTY_RUNS'] ?? 200);
const LEAF = 4;
const pairs = fc.array(fc.tuple(fc.integer({ min: 0, max: 200 }), fc.integer({ min: -20, max: 20 })), {
  minLength: 1,
  maxLength: 30,
});
const pushes = fc.array(pairs, { minLength: 1, maxLength: 8 });
const span = fc.tuple(fc.integer({ min: -5, max: 205 }), fc.integer({ min: -5, max: 205 }));

suite('what signals do over spans of time', test => {
  test('is told by all points, or by few of which none was made up and no extreme is missing', () =>
    fc.assert(
      fc.asyncProperty(
        pushes,
        span,
        fc.integer({ min: 2, max: 6 }),
        fc.boolean(),
        async (given, [a, b], mostLeaves, deleted) => {
          const { commands, context, project, models, projection } = await signalsWorld({ leafPoints: LEAF });
          const naive = new NaiveSignals();
          const { series: course } = thinnedSignals(reader(models, projection, () => 0));
          const place = { workspace: 'w', key: 'k' };
          for (const [i, some] of given.entries()) {
            await commands.push('w', [aPush('k', some)], context('w'));
            naive.push('k', some, null, 0);
            if (deleted && i === 2) {
              await commands.delete('w', 'k', context('w'));
              naive.delete('k');
            }
            await project(3);
          }
          const signal = naive.signals.get('k');
          const [from, to] = [Math.min(a, b), Math.max(a, b)];
          const all = (signal ? inOrder(signal) : []).map(([time, { value }]): [number, number] => [
            time,
            value,
          ]);
          const within = all.filter(([time]) => time >= from && time <= to);
          const asked = async (most: number, standIn: 'extremes' | 'means') => {
            const [series] = await course([place], { from, to }, most, standIn);
            const { times, values } = series!;
            return Array.from(times, (time, i): [number, number] => [time, values[i]!]);
          };
          for (const standIn of ['extremes', 'means'] as const)
            assert.equal(await asked(1_000, standIn), within);
          const few = await asked(mostLeaves, 'extremes');
          for (const [time, value] of few)
            assert.ok(
              within.some(([t, v]) => t === time && v === value),
              `${time} ${value} is a point`,
            );
          assert.ok(
            few.every(([time], i) => i === 0 || time > few[i - 1]![0]),
            'in order',
          );
          const ends = (points: readonly [number, number][]) => [
            points[0],
            points.at(-1),
            ...[Math.min, Math.max].map(of => of(...points.map(([, value]) => value))),
          ];
          assert.equal(ends(few), ends(within));
          const means = await asked(mostLeaves, 'means');
          assert.ok(
            means.every(([time], i) => time >= from && time <= to && (i === 0 || time > means[i - 1]![0])),
            'means in order',
          );
          if (all.length === within.length && all.length > 0) {
            assert.equal([means[0], means.at(-1)], [within[0], within.at(-1)]);
            assert.ok(means.every(([, value]) => value >= -20 && value <= 20));
          }
        },
      ),
      { numRuns: RUNS, includeErrorInReport: true },
    ));
});
