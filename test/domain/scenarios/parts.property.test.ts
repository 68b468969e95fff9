import * as assert from 'uvu/assert';
import { partsOf } from '../../../domain/scenarios/parts.js';
import { seeded } from '../../../domain/maths/seeded.js';
import { suite } from '../../suite.js';

suite('parts of a total', test => {
  const random = seeded(7);
  const shuffled = (numbers: readonly number[]): number[] =>
    numbers
      .map(value => ({ value, by: random() }))
      .sort((a, b) => a.by - b.by)
      .map(({ value }) => value);
  const sum = (numbers: readonly number[]): number => numbers.reduce((all, x) => all + x, 0);

  test('add up to it to the last bit, in any order, whatever their sizes', () => {
    for (let round = 0; round < 2_000; round++) {
      const totals = Array.from({ length: 1 + Math.floor(random() * 50) }, () => {
        const size = 10 ** Math.floor(random() * 40 - 20);
        return random() < 0.1 ? 0 : (random() - 0.5) * size;
      });
      const { total, parts } = partsOf(totals);
      assert.is(parts.length, totals.length);
      assert.is(sum(parts), total);
      assert.is(sum(shuffled(parts)), total);
      // As it is printed
      assert.is(sum((JSON.parse(JSON.stringify(parts)) as number[]).reverse()), total);
      const largest = Math.max(...totals.map(Math.abs));
      assert.ok(Math.abs(total - totals.at(-1)!) <= largest * 2 ** -45);
    }
  });

  test('of nothing are nothing', () => {
    assert.equal(partsOf([]), { total: 0, parts: [] });
    assert.equal(partsOf([0, 0]), { total: 0, parts: [0, 0] });
    assert.equal(partsOf([1.5, 1.5, -0.25]), { total: -0.25, parts: [1.5, 0, -1.75] });
  });
});
