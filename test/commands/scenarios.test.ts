import * as assert from 'uvu/assert';
import { withTarget } from '../../commands/scenarios/target-path.js';
import type { Rejected } from '../../domain/rejected.js';
import type { Assumption } from '../../domain/scenarios/assumptions.js';
import type { Known } from '../../domain/scenarios/known.js';
import { randomOf } from '../random.js';
import { suite } from '../suite.js';
import { AHEAD, HORIZON, HOUR, imagined, issued } from './scenarios-world.js';

const always = { from: null, to: null };
const at = (h: number) => AHEAD + h * HOUR;
const add = (h: number, over: object = {}): Assumption => ({
  ...{ kind: 'event_add', stream: 'news', occurredAt: at(h) },
  ...{ importance: 0.5, impact: null, value: null, count: 1, ...over },
});
const near = (is: readonly number[], expected: readonly number[], by = 1e-9): void =>
  is.forEach((value, h) => assert.ok(Math.abs(value - expected[h]!) <= by, `${h}: ${is.join(' ')}`));
const codes = (warnings: readonly { readonly code: string }[]) => warnings.map(({ code }) => code);
async function refused(assumption: Assumption): Promise<unknown> {
  try {
    await imagined([assumption]);
    return 'taken';
  } catch (error) {
    return ((error as Rejected).details['detail'] as { loc: unknown }[])[0]!.loc;
  }
}

suite('what would be', test => {
  test('an assumed event acts by the response of its stream, all quantiles alike', async () => {
    const { delta, points, totalDelta, contributions, edgeIds } = await imagined([add(0, { importance: 1 })]);
    near(
      delta.mean,
      [8, 4, 2, 0, 0, 0, 0, 0, 0, 0, 0, 0].map((x, h) => (h === 3 ? 0 : x)),
      1e-9,
    );
    for (const column of delta.quantiles) near(column, delta.mean);
    near(
      points.mean,
      issued.points.mean.map((value, h) => value + delta.mean[h]!),
    );
    assert.is(totalDelta, contributions[0]);
    assert.equal(edgeIds, ['edg_news']);
  });

  test('one that is removed is taken back, one that is moved acts elsewhere', async () => {
    const removed = await imagined([
      { kind: 'event_remove', eventId: null, stream: 'news', from: at(3), to: at(3) },
    ]);
    near(removed.delta.mean, [0, 0, 0, -4, -2, -1, 0, 0, 0, 0, 0, 0]);
    const moved = await imagined([{ kind: 'event_move', eventId: 'evt_1', occurredAt: at(7) }]);
    near(moved.delta.mean, [0, 0, 0, -4, -2, -1, 0, 4, 2, 1, 0, 0]);
    const into = await imagined([{ kind: 'event_move', eventId: 'evt_far', occurredAt: at(9) }]);
    near(into.delta.mean, [0, 0, 0, 0, 0, 0, 0, 0, 0, 8, 4, 2]);
    const nothing = await imagined([
      { kind: 'event_remove', eventId: 'evt_far', stream: null, from: null, to: null },
    ]);
    assert.equal([nothing.totalDelta, codes(nothing.warnings)], [0, ['no_effect']]);
  });

  test('together events do at most three times what the strongest does', async () => {
    const { delta } = await imagined([add(0, { count: 9 })]);
    near(delta.mean.slice(0, 3), [12, 12, 9]);
  });

  test('an edge that is off takes with it what acts by it', async () => {
    const { delta, contributions } = await imagined([add(0), { kind: 'edge_off', edgeId: 'edg_news' }]);
    near(delta.mean, [0, 0, 0, -4, -2, -1, 0, 0, 0, 0, 0, 0]);
    near(contributions, [7, -14]);
  });

  test('a signal acts by its edge, after its lag; one without an edge does not', async () => {
    const { delta, extrapolations, warnings } = await imagined([
      { kind: 'signal_shift', key: 'price', add: 5, from: at(1), to: at(3) },
      { kind: 'signal_shift', key: 'idle', add: 5, ...always },
    ]);
    near(delta.mean, [0, 0, 0, -15, -15, 0, 0, 0, 0, 0, 0, 0], 1);
    assert.ok(Math.abs(delta.mean[3]! + 15) < 1, String(delta.mean));
    assert.equal(codes(warnings), ['no_edge']);
    assert.equal(
      extrapolations.map(({ index, key, field }) => [index, key, field]),
      [
        [0, 'price', 'value'],
        [1, 'idle', 'value'],
      ],
    );
    assert.ok(extrapolations[0]!.value > extrapolations[0]!.high);
  });

  test('the target itself: what is assumed ahead holds, and the model goes on from it', async () => {
    const set: Assumption = { kind: 'signal_set', key: 'sales', values: [50, 60], from: at(0), to: at(2) };
    const { points, delta } = await imagined([set]);
    near(points.mean.slice(0, 2), [50, 60]);
    for (const column of points.quantiles) near(column.slice(0, 2), [50, 60]);
    // The model says that the newest value goes on
    near(delta.mean.slice(2), new Array(HORIZON - 2).fill(60 - issued.points.mean[1]!));
    const past = await imagined([{ kind: 'signal_shift', key: 'sales', add: 7, from: at(-1), to: at(0) }]);
    near(past.delta.mean, new Array(HORIZON).fill(7));
  });

  test('a shorter horizon is the beginning of the longer one', async () => {
    const some: Assumption[] = [add(1), { kind: 'signal_scale', key: 'price', factor: 1.1, ...always }];
    const [long, short] = [await imagined(some), await imagined(some, 5)];
    near(short.delta.mean, long.delta.mean.slice(0, 5));
    assert.is(short.times.length, 5);
  });

  test('what the base did not know is refused, and named', async () => {
    const remove = { kind: 'event_remove', eventId: null, stream: null, ...always } as const;
    assert.equal(await refused({ ...remove, eventId: 'evt_0' }), ['body', 'assumptions', 0, 'event_id']);
    assert.equal(await refused({ ...remove, stream: 'none' }), ['body', 'assumptions', 0, 'stream']);
    assert.equal(await refused(add(0, { stream: 'none' })), ['body', 'assumptions', 0, 'stream']);
    assert.equal(await refused({ kind: 'edge_off', edgeId: 'e' }), ['body', 'assumptions', 0, 'edge_id']);
    assert.equal(await refused({ kind: 'signal_shift', key: 'none', add: 1, ...always }), [
      ...['body', 'assumptions', 0, 'key'],
    ]);
    const set: Assumption = { kind: 'signal_set', key: 'price', values: [1, 2], from: at(0), to: at(3) };
    assert.equal(await refused(set), ['body', 'assumptions', 0, 'values']);
  });

  test('the target itself, with many assumptions on many steps, takes a moment', async () => {
    const [before, ahead, count] = [4_096, 1_000, 50];
    const allTimes = Array.from({ length: before + ahead }, (_, i) => i * HOUR);
    const column = Array.from({ length: ahead }, (_, h) => h);
    const known = {
      ...{ issued: { read: { key: 'sales' } }, allTimes, times: allTimes.slice(before) },
      history: { values: new Float64Array(before) },
    } as unknown as Known;
    const path = { mean: column, quantiles: Array.from({ length: 20 }, () => column) };
    const some = Array.from({ length: count }, (): Assumption => {
      return { kind: 'signal_shift', key: 'sales', add: 1, ...always };
    });
    const began = performance.now();
    const moved = await withTarget(known, path, some, () => Promise.reject(new Error('all is assumed')));
    const ms = performance.now() - began;
    assert.equal(
      moved.mean,
      column.map(value => value + count),
    );
    assert.equal(moved.quantiles[19], moved.mean);
    assert.ok(ms < 5_000, `${ms} ms`);
  });

  test('what is infinite is refused, and its member named', async () => {
    const shift: Assumption = { kind: 'signal_shift', key: 'sales', add: Number.MAX_VALUE, ...always };
    assert.equal(await refused(shift), ['body', 'assumptions', 0, 'add']);
    const scale: Assumption = { kind: 'signal_scale', key: 'sales', factor: 1e308, ...always };
    assert.equal(await refused(scale), ['body', 'assumptions', 0, 'factor']);
  });

  test('the parts add up to the total to the bit, whatever is assumed', async () => {
    const random = randomOf(5);
    const kinds: (() => Assumption)[] = [
      () => add(random.below(HORIZON), { importance: random.next(), count: 1 + random.below(3) }),
      () => ({ kind: 'event_move', eventId: 'evt_1', occurredAt: at(random.below(HORIZON)) }),
      () => ({ kind: 'event_remove', eventId: 'evt_1', stream: null, ...always }),
      () => ({ kind: 'signal_scale', key: 'price', factor: 2 * random.next(), ...always }),
      () => ({ kind: 'signal_set', key: 'sales', values: [random.below(99)], from: at(4), to: at(6) }),
      () => ({ kind: 'signal_shift', key: 'sales', add: random.next(), from: at(-5), to: at(3) }),
      () => ({ kind: 'edge_off', edgeId: random.pick(['edg_news', 'edg_price']) }),
    ];
    for (let round = 0; round < 60; round++) {
      const some = Array.from({ length: 1 + random.below(6) }, () => random.pick(kinds)());
      const { totalDelta, contributions, delta, points } = await imagined(some);
      assert.is(
        contributions.reduce((sum, x) => sum + x, 0),
        totalDelta,
      );
      const sum = delta.mean.reduce((all, x) => all + x, 0);
      assert.ok(Math.abs(sum - totalDelta) <= 1e-9 * Math.max(1, Math.abs(sum)));
      points.mean.forEach((_, h) => {
        const row = points.quantiles.map(column => column[h]!);
        assert.equal(
          row,
          [...row].sort((a, b) => a - b),
        );
      });
    }
  });
});
