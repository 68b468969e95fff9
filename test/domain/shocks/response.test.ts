import fc from 'fast-check';
import * as assert from 'uvu/assert';
import { effectAt, responseOf, together } from '../../../domain/maths/effects/applied.js';
import { fadesAt, remainingOf } from '../../../domain/shocks/response.js';
import { HOUR, SECOND } from '../../../domain/time.js';
import { suite } from '../../suite.js';
import { CURVE, NOW } from './given.js';

const fading = { occurredAt: NOW, response: CURVE, halfLifeS: 4 * 3_600 };
const near = (a: number, b: number): void => assert.ok(Math.abs(a - b) < 1e-9, `${a} is not ${b}`);
const effects = fc.array(fc.integer({ min: -50, max: 50 }), { minLength: 1, maxLength: 12 });
const responseFrom = (list: readonly number[]) => ({
  ...{ stepS: 60, offsets: list.map((_, i) => i * 60), effects: list },
});

suite('what remains of a response', test => {
  test('it is whole up to its peak, then the curve over its peak', () => {
    for (const hours of [0, 0.5, 1, 2]) assert.is(remainingOf(fading, NOW + hours * HOUR), 1);
    near(remainingOf(fading, NOW + 6 * HOUR), 0.5);
    near(remainingOf(fading, NOW + 10 * HOUR), 0.25);
    assert.is(remainingOf(fading, NOW + 25 * HOUR), 0);
    near(remainingOf({ ...fading, response: null }, NOW + 8 * HOUR), 0.25);
  });

  test('a curve that begins before the event is used from the event on; a flat one is none', () => {
    const point = (offsetS: number, effect: number) => ({
      ...{ offsetS, effect, lower: effect, upper: effect, mean: effect, n: 9 },
    });
    const points = [point(-60, 9), point(60, -2), point(0, -1)];
    const curve = { stepS: 60, scale: 2, preTrendP: 1, points };
    assert.equal(responseOf(curve), { stepS: 60, offsets: [0, 60], effects: [-2, -4] });
    assert.is(responseOf({ ...curve, points: [point(-60, 9), point(0, 0)] }), null);
    assert.is(responseOf({ ...curve, scale: NaN }), null);
    assert.is(responseOf(null), null);
  });

  test('it lies between 0 and 1, and fades when it is said to', () => {
    const share = fc.double({ min: 0.01, max: 0.9, noNaN: true });
    fc.assert(
      fc.property(effects, share, fc.integer({ min: 0, max: 1_000 }), (list, part, seconds) => {
        const response = responseFrom(list);
        if (list.every(effect => effect === 0)) return;
        const one = { ...fading, response };
        const remaining = remainingOf(one, NOW + seconds * SECOND);
        assert.ok(remaining >= 0 && remaining <= 1);
        const until = fadesAt(one, part);
        assert.ok(remainingOf(one, until + 1) <= part + 1e-3);
        assert.ok(until <= NOW + list.length * 60 * SECOND);
      }),
    );
    near(fadesAt({ ...fading, response: null }, 0.25), NOW + 8 * HOUR);
    near(fadesAt(fading, 0.25), NOW + 10 * HOUR);
  });

  test('together events do at most three times what the strongest does', () => {
    const weight = fc.double({ min: -3, max: 3, noNaN: true });
    fc.assert(
      fc.property(fc.array(fc.tuple(effects, weight), { maxLength: 8 }), all => {
        const steps = 6;
        const acting = all.map(([list, weight], i) => ({
          ...{ response: responseFrom(list), weight },
          at: NOW + i * 60_000,
        }));
        const times = Array.from({ length: steps }, (_, h) => NOW + h * 60_000);
        const sums = together(acting, times);
        const most = Math.max(0, ...all.map(([list, w]) => Math.max(...list.map(e => Math.abs(e * w)))));
        sums.forEach((sum, h) => {
          assert.ok(Math.abs(sum) <= 3 * most + 1e-9);
          const plain = acting.reduce(
            (all, one) => all + one.weight * effectAt(one.response, (times[h]! - one.at) / 1_000),
            0,
          );
          if (Math.abs(plain) <= 3 * most) near(sum, plain);
        });
      }),
    );
    const one = { response: responseFrom([1, 4]), weight: 2, at: NOW };
    const times = [-60, 0, 60, 120].map(offset => NOW + offset * 1_000);
    assert.equal(together([one], times), [0, 2, 8, 0]);
    assert.equal(together(Array(5).fill(one), times), [0, 10, 24, 0]);
  });
});
