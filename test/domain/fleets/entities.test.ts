import fc from 'fast-check';
import * as assert from 'uvu/assert';
import { grouped, groupOf, isLike } from '../../../domain/fleets/entities.js';
import { suite } from '../../suite.js';

/** The same by way of a regular expression. */
const slowly = (text: string, pattern: string): boolean => {
  const parts = [...pattern].map(sign => {
    if (sign === '*') return '[^]*';
    return sign === '?' ? '[^]' : sign.replace(/[\\^$.|+()[\]{}/-]/g, '\\$&');
  });
  return new RegExp(`^${parts.join('')}$`).test(text);
};

suite('entities of fleets', test => {
  test('patterns are met as regular expressions say', () => {
    const signs = fc.constantFrom('a', 'b', '*', '?', '.', '-');
    const texts = fc.array(fc.constantFrom('a', 'b', '.', '-', '*'), { maxLength: 12 });
    fc.assert(
      fc.property(texts, fc.array(signs, { maxLength: 8 }), (text, pattern) => {
        const [t, p] = [text.join(''), pattern.join('')];
        assert.is(isLike(t, p), slowly(t, p), `${t} ${p}`);
      }),
      { numRuns: 2_000 },
    );
  });

  test('no pattern takes long', () => {
    const text = 'a'.repeat(256);
    assert.is(isLike(`${text}c`, `${'*a'.repeat(60)}*b`), false);
    assert.is(isLike(text, '*a'.repeat(60)), true);
  });

  test('groups are beginnings or parts of names; what has none goes together', () => {
    const part = { separator: '-', part: 2 } as const;
    assert.equal(
      ['de-berlin-1', 'de', 'de-'].map(name => groupOf(part, name)),
      ['berlin', 'ungrouped', 'ungrouped'],
    );
    assert.equal(grouped({ prefix: 1 }, ['b1', 'a1', 'b2']), [
      ['a', [1]],
      ['b', [0, 2]],
    ]);
  });
});
