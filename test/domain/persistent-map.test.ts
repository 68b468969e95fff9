import fc from 'fast-check';
import * as assert from 'uvu/assert';
import { PersistentMap } from '../../domain/persistent-map.js';
import { suite } from '../suite.js';

/** Some that lie close together, and many that come again. */
const key = fc.oneof(fc.string(), fc.nat({ max: 3_000 }).map(String));

suite('a map that never changes', test => {
  test('has what was set last and not taken away since, of each version', () =>
    fc.assert(
      fc.property(fc.array(fc.tuple(key, fc.option(fc.nat())), { maxLength: 400 }), sets => {
        const versions = [{ map: PersistentMap.empty<number>(), wanted: new Map<string, number>() }];
        for (const [name, value] of sets) {
          const { map, wanted } = versions.at(-1)!;
          const next = new Map(wanted);
          if (value === null) next.delete(name);
          else next.set(name, value);
          versions.push({ map: value === null ? map.without(name) : map.with(name, value), wanted: next });
        }
        for (const { map, wanted } of versions.filter((_, i) => i % 40 === 0 || i === sets.length)) {
          assert.is(map.size, wanted.size);
          assert.equal(new Map(map.entries()), wanted);
          assert.is(map.entries().length, wanted.size);
          for (const [name] of sets) {
            assert.is(map.get(name), wanted.get(name));
            assert.is(map.has(name), wanted.has(name));
          }
        }
      }),
    ));

  test('keeps apart what has one hash', () => {
    // FNV-1a makes 1582148253 of both
    const [one, other] = ['costarring', 'liquid'];
    const many = Array.from({ length: 5_000 }, (_, i) => `k${i}`);
    let map = many.reduce((before, each, i) => before.with(each, i), PersistentMap.empty<number>());
    map = map.with(one, -1).with(other, -2);
    assert.equal([map.get(one), map.get(other), map.get('k4999'), map.size], [-1, -2, 4_999, 5_002]);
    map = many.reduce((before, each) => before.without(each), map.without(one));
    assert.equal([map.get(one), map.get(other), map.size], [undefined, -2, 1]);
  });
});
