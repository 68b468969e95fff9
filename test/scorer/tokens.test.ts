import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import * as assert from 'uvu/assert';
import { defaultModelDir, readModelFiles } from '../../adapters/scorer/files.js';
import { isUpperCase } from '../../adapters/scorer/gates.js';
import { createTokenizer } from '../../adapters/scorer/tokens.js';
import { suite } from '../suite.js';

type Reference = { text: string; tokens: number[] };
const references = JSON.parse(readFileSync(join(defaultModelDir(), 'reference.json'), 'utf8')) as Reference[];

suite('tokenizer', test => {
  const { vocabulary } = readModelFiles(defaultModelDir());
  const tokenizer = createTokenizer(vocabulary);

  test('cuts texts of many scripts as the recipe did', () => {
    assert.ok(references.length >= 100);
    for (const { text, tokens } of references)
      assert.equal(tokenizer(text, isUpperCase(text)).ids, tokens, text);
  });
  test('marks at both ends, at most 128, every span inside the text and in order', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 400 }), text => {
        const { ids, spans } = tokenizer(text, false);
        assert.is(ids.length, spans.length);
        assert.ok(ids.length >= 2 && ids.length <= 128);
        assert.equal([ids[0], ids.at(-1)], [0, 2]);
        let last = 0;
        for (const [start, end] of spans) {
          assert.ok(start >= last && end >= start && end <= text.length);
          last = start;
        }
      }),
    );
  });
  test('unknown characters in a row are one piece', () => {
    assert.equal(tokenizer('\u13a0\u13a1\u13a2', false).ids, tokenizer('\u13a0', false).ids);
  });
  test('a word is no dearer for its length', () =>
    assert.is(tokenizer('y'.repeat(100_000), false).ids.length, 128));
});
