import * as assert from 'uvu/assert';
import { nelderMead } from '../../../../domain/maths/statistics/nelder-mead.js';
import { suite } from '../../../suite.js';

const search = { size: 0.5, evaluations: 5_000, within: 1e-12 };

suite('Nelder and Mead', test => {
  test("finds the bottom of Rosenbrock's valley, at 1, 1", () => {
    const { at, value } = nelderMead(
      ([x, y]) => 100 * (y! - x! * x!) ** 2 + (1 - x!) ** 2,
      Float64Array.of(-1.2, 1),
      search,
    );
    assert.ok(value < 1e-10 && at.every(x => Math.abs(x - 1) < 1e-4), `${at}`);
  });

  test('and of a bowl in twelve dimensions', () => {
    const bowl = (x: Float64Array): number => x.reduce((sum, x, i) => sum + (i + 1) * (x - i) ** 2, 0);
    const { at } = nelderMead(bowl, new Float64Array(12), search);
    at.forEach((x, i) => assert.ok(Math.abs(x - i) < 1e-3, `${at}`));
  });

  test('does not go where the function is no number, and asks about as often as it may', () => {
    let asked = 0;
    const counted = ([x]: Float64Array): number => {
      asked++;
      return x! < 2 ? NaN : x!;
    };
    const { at } = nelderMead(counted, Float64Array.of(5), { ...search, evaluations: 60 });
    assert.ok(at[0]! >= 2 && at[0]! < 2.1, `${at}`);
    assert.ok(asked <= 65, `${asked}`);
  });

  test('of one number it goes on where a first step of its size leads nowhere', () => {
    const { at } = nelderMead(([x]) => (Math.abs(x! - 0.3) < 0.05 ? x! : NaN), Float64Array.of(0.3), search);
    assert.ok(at[0]! < 0.251, `${at}`);
  });

  test('of no numbers there is nothing to search, whatever the function says', () => {
    for (const value of [7, Infinity])
      assert.equal(
        nelderMead(() => value, new Float64Array(0), search),
        { at: new Float64Array(0), value },
      );
    assert.is(nelderMead(() => NaN, new Float64Array(0), search).value, Infinity);
  });
});
