import { deepStrictEqual } from 'node:assert';
import fc from 'fast-check';
import * as assert from 'uvu/assert';
import { isAsJson } from '../../adapters/embedded/as-json.js';
import { suite } from '../suite.js';

suite('what JSON gives back as it was', test => {
  test('is told of nothing that comes back otherwise', () =>
    fc.assert(
      fc.property(
        fc.anything({ withDate: true, withNullPrototype: true, withSparseArray: true, withTypedArray: true }),
        value => {
          if (isAsJson(value)) deepStrictEqual(JSON.parse(JSON.stringify(value)), value);
        },
      ),
    ));

  test('is told of everything that came from JSON, but for a zero below zero', () =>
    fc.assert(
      fc.property(fc.json(), text => {
        const value: unknown = JSON.parse(text, (_, inner: unknown) => (Object.is(inner, -0) ? 0 : inner));
        assert.ok(isAsJson(value));
      }),
    ));

  for (const [what, value] of Object.entries({
    'a member that is not there': { a: undefined },
    'a list with a hole': new Array<number>(1),
    'a zero below zero': { values: [-0] },
    'no number': [NaN],
    'a date': { at: new Date(0) },
    'an object with a text of its own': { toJSON: () => 1 },
  }))
    test(`is not ${what}`, () => assert.not(isAsJson(value)));
});
