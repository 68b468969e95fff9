import * as assert from 'uvu/assert';
import { parsePath, PathFault } from '../../../domain/ingestion/paths.js';
import { randomOf } from '../../random.js';
import { suite } from '../../suite.js';

const value = {
  a: { b: [{ 'odd.key': 1, 'with "quotes"': 2, 'back\\slash': 3 }, 5] },
  list: [10, 20],
  '0': 'zero',
  'plain name': 'yes',
  naïve: true,
};

const leads: readonly (readonly [string, unknown])[] = [
  ['a.b[0]["odd.key"]', 1],
  ['a.b[0]["with \\"quotes\\""]', 2],
  ['a.b[0]["back\\\\slash"]', 3],
  ['["a"].b[1]', 5],
  ['list[1]', 20],
  ['list.1', 20],
  ['[0]', 'zero'],
  ['plain name', 'yes'],
  ['naïve', true],
  ['a.b[2]', undefined],
  ['a.nothing.further', undefined],
  // Only what was sent: no lengths, no prototypes
  ['list.length', undefined],
  ['a.constructor', undefined],
  ['__proto__', undefined],
  ['["__proto__"].toString', undefined],
  ['plain name.length', undefined],
  ['plain name[0]', undefined],
];

const faults: readonly (readonly [string, number])[] = [
  ['', 0],
  ['.a', 0],
  ['a.', 1],
  ['a..b', 1],
  ['a[', 1],
  ['a[]', 1],
  ['a[-1]', 1],
  ['a[b]', 1],
  ['a["b]', 1],
  ["a['b']", 1],
  ['a[0]b', 4],
  ['a"b"', 1],
  ['a]', 1],
  ['x'.repeat(501), 500],
];

suite('paths into items', test => {
  for (const [path, there] of leads)
    test(`${path} leads to ${JSON.stringify(there)}`, () => assert.equal(parsePath(path)(value), there));

  for (const [path, at] of faults)
    test(`${path.slice(0, 20) || 'nothing'} is no path, and it says where`, () => {
      try {
        parsePath(path);
        assert.unreachable('taken for a path');
      } catch (error) {
        assert.instance(error, PathFault);
        assert.is((error as PathFault).at, at);
      }
    });

  test('leads nowhere in what has no members', () => {
    for (const scalar of [null, undefined, 1, 'text', true]) assert.is(parsePath('a')(scalar), undefined);
  });

  test('any text is a path or refused by name, and any name can be quoted', () => {
    const chance = randomOf(17);
    const letters = [...'ab.[]"\\0 9é\n'];
    const text = () => Array.from({ length: chance.below(12) }, () => chance.pick(letters)).join('');
    for (let i = 0; i < 5_000; i++) {
      const some = text();
      try {
        parsePath(some)({ a: [{ b: 1 }] });
      } catch (error) {
        assert.instance(error, PathFault, some);
      }
      const quoted = `["${some.replace(/["\\]/g, '\\$&')}"]`;
      assert.is(parsePath(quoted)({ [some]: i }), i, quoted);
    }
  });
});
