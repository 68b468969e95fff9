import fc from 'fast-check';
import * as assert from 'uvu/assert';
import { noveltyOf } from '../../domain/events/novelty.js';
import { suite } from '../suite.js';

const story = 'Storm cuts power to 40,000 homes along the coast';
// Nine pairs: storm cuts | cuts power | power to | to 40 | 40 000 | 000 homes | homes along | along the | the
// coast

const letters = (from: string) => fc.string({ unit: fc.constantFrom(...from), minLength: 1, maxLength: 5 });
const words = fc.array(fc.oneof(letters('abcdé'), letters('жшя'), letters('0123')), {
  minLength: 1,
  maxLength: 12,
});
const text = words.map(all => all.join(' '));
const texts = fc.array(text, { maxLength: 6 });
const gap = fc.constantFrom(' ', ', ', ' - ', '\n', '... ', '\u00a0', ' \u201c', '! ', ' \u00b4');

suite('novelty', test => {
  const cases: [string, string, string[], number][] = [
    ['nothing earlier', story, [], 1],
    ['the same again', story, [story], 0],
    [
      'other case, blanks, punctuation',
      '\u201cSTORM\u201d cuts\tpower -- to 40.000 homes; along the coast!!',
      [story],
      0,
    ],
    [
      'the same in other forms of the same characters',
      'Ｓｔｏｒｍ cuts power to 40,000 homes along the coast',
      [story],
      0,
    ],
    [
      'one number another: two pairs of nine',
      'Storm cuts power to 45,000 homes along the coast',
      [story],
      0.2222,
    ],
    [
      'a word in the middle: two pairs of ten',
      'Storm cuts power to 40,000 small homes along the coast',
      [story],
      0.2,
    ],
    ['a shorter version of it', 'Storm cuts power to 40,000 homes', [story], 0],
    ['a longer version: nine pairs of twelve were there', `${story} until next Monday`, [story], 0.25],
    ['nothing in common', 'Ministers meet in Lisbon', [story], 1],
    [
      'the same words, no two of them neighbours as before',
      'coast the along homes 000 40 to power cuts storm',
      [story],
      1,
    ],
    ['five pairs of nine in two earlier texts', story, ['Storm cuts power', 'homes along the coast'], 0.4444],
    ['a pair said twice counts once: two of three are new', 'rain and rain and snow', ['rain and'], 0.6667],
    ['a single word, alone', 'Storm', ['storm!'], 0],
    ['a single word that a text holds', 'Storm', [story], 0],
    ['a single word that none holds', 'Storms', [story], 1],
    ['a text when one of its words was there', story, ['Storm'], 1],
    [
      'Japanese, by characters: 東京 京で 地震 were there, で大 大地 震が not',
      '東京で大地震が',
      ['東京で地震'],
      0.5,
    ],
    ['Chinese with other marks and blanks', '北京，上海', ['北 京、上 海。'], 0],
    ['Thai, a mark with the character before it: two pairs of four', 'น้ำท่วม', ['น้ำท่'], 0.5],
    ['scripts mixed', 'トヨタ recalls 5万台', ['トヨタ recalls'], 0.5],
    ['emojis alone', '🔥🔥', ['🔥🔥'], 0],
    ['other emojis', '🔥🌊', ['🔥🔥'], 1],
    ['an emoji beside words is punctuation', `🔥 ${story}`, [story], 0],
  ];
  for (const [what, given, earlier, expected] of cases)
    test(what, () => assert.is(noveltyOf(given, earlier), expected));

  test('a repetition has none, whatever its case, blanks and punctuation', () => {
    fc.assert(
      fc.property(words, gap, texts, (all, between, others) => {
        assert.is(noveltyOf(all.join(between).toUpperCase(), [...others, all.join(' ')]), 0);
      }),
    );
  });

  test('a text without a word of the earlier ones is all new', () =>
    fc.assert(
      fc.property(text, texts, (given, others) => {
        assert.is(
          noveltyOf(
            given,
            others.map(other => other.replace(/[^ ]+/g, 'x$&x')),
          ),
          1,
        );
      }),
    ));

  test('does not depend on the order of earlier texts, nor on one of them being there twice', () => {
    fc.assert(
      fc.property(text, texts, (given, others) => {
        const novelty = noveltyOf(given, others);
        assert.is(noveltyOf(given, others.toReversed()), novelty);
        assert.is(noveltyOf(given, [...others, ...others]), novelty);
      }),
    );
  });

  test('is 0 to 1, and never higher with more earlier texts', () => {
    fc.assert(
      fc.property(fc.string(), fc.array(fc.string()), texts, (given, some, more) => {
        const less = noveltyOf(given, some);
        const least = noveltyOf(given, [...some, ...more]);
        assert.ok(0 <= least && least <= less && less <= 1, `${least} ${less}`);
      }),
    );
  });

  test('of a text looks at the first 10,000 characters', () => {
    const long = Array.from({ length: 20_000 }, (_, i) => `w${i}`).join(' ');
    const half = long.slice(0, 50_000);
    assert.is(noveltyOf(long, [half]), 0);
    assert.is(noveltyOf(half, [long]), 0);
    assert.is(noveltyOf(`${half} more`, [long.slice(10_001)]), 1);
    assert.is(noveltyOf('x'.repeat(100_000), ['x'.repeat(99_999)]), 0);
  });
});
