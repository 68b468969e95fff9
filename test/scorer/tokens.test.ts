import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import * as assert from 'uvu/assert';
import { defaultModelDir, readModelFiles } from '../../adapters/scorer/files.js';
import { isUpperCase, withoutMarkup } from '../../adapters/scorer/gates.js';
import { createTokenizer } from '../../adapters/scorer/tokens.js';
import { suite } from '../suite.js';

type Reference = { text: string; tokens: number[] };
const references = JSON.parse(readFileSync(join(defaultModelDir(), 'reference.json'), 'utf8')) as Reference[];

suite('tokenizer', test => {
  const { vocabulary } = readModelFiles(defaultModelDir());
  const tokenizer = createTokenizer(vocabulary);

  test('cuts texts of many scripts as the recipe did', () => {
    assert.ok(references.length >= 100);
    for (const { text, tokens } of references) {
      const bare = withoutMarkup(text);
      assert.equal(tokenizer(bare, isUpperCase(bare)).ids, tokens, text);
    }
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
  test('what says nothing is not read: quotation marks, bullets, brackets, the stop at the end', () => {
    const plain = 'Mill at Aldham won\u2019t close, says "Post"';
    const { ids } = tokenizer(plain, false);
    for (const [before, after] of [
      ['', '.'],
      ['', '!!'],
      ['', '\u3002'],
      ['\u201c', '.\u201d'],
      ['\u00ab ', ' \u00bb'],
      ["'", "'"],
      ['- ', ''],
      ['## ', ' ---'],
      ['**', '**'],
      ['`', '`.'],
      ['(', ')'],
      ['[', '.]'],
      ['\u201c\u2018', '\u2019\u201d.'],
      ["'", "'."],
      ['\u2022', ''],
      ['\u00a1', '!'],
      ['&#x2022; ', '&#46;'],
    ] as const)
      assert.equal(tokenizer(`${before}${plain}${after}`, false).ids, ids, `${before} ${after}`);
  });
  test('what says something is', () => {
    const different = [
      '-5% sales',
      '5% sales',
      'sales...',
      'sales',
      'sales?',
      'we (they) won',
      "they're won",
      '&foo; won',
    ];
    assert.is(new Set(different.map(text => tokenizer(text, false).ids.join())).size, different.length);
  });
  test('unknown characters in a row are one piece', () => {
    assert.equal(tokenizer('\u13a0\u13a1\u13a2', false).ids, tokenizer('\u13a0', false).ids);
  });
  test('a word is no dearer for its length, nor for its marks', () => {
    for (const mark of ['y', "'", '!', '*', '.', '"', '(', '&'])
      assert.ok(tokenizer(`x${mark.repeat(100_000)}x`, false).ids.length <= 128);
  });
});
