import fc from 'fast-check';
import * as assert from 'uvu/assert';
import { defaultModelDir, readModelFiles } from '../../adapters/scorer/files.js';
import { foreignLanguage, isUpperCase, sentencesOf } from '../../adapters/scorer/gates.js';
import { createTokenizer, UNKNOWN } from '../../adapters/scorer/tokens.js';
import { suite } from '../suite.js';

suite('sentences', test => {
  const cut = (text: string): string[] => sentencesOf(text).map(([start, end]) => text.slice(start, end));
  test('a short text is read whole', () =>
    assert.equal(cut('Outage. All is down.'), ['Outage. All is down.']));
  test('a long text by sentences, not at abbreviations before a small letter', () => {
    const filler = 'word '.repeat(70).trim();
    assert.equal(cut(`${filler}. The plant (No. five) stopped! "Why?" asked nobody\nA new line`), [
      `${filler}.`,
      'The plant (No. five) stopped!',
      '"Why?" asked nobody',
      'A new line',
    ]);
  });
  test('scripts that end sentences without a blank', () => {
    assert.is(cut('\u5de5\u5834\u3067\u7206\u767a\u3002'.repeat(60)).length, 16);
  });
  test('at most 16, none longer than 500, none with half a code point', () => {
    fc.assert(
      fc.property(
        fc.string({ unit: 'grapheme', maxLength: 300 }),
        fc.integer({ min: 1, max: 60 }),
        (part, times) => {
          const text = part.repeat(times);
          const spans = sentencesOf(text);
          assert.ok(spans.length >= 1 && spans.length <= 16);
          for (const [start, end] of spans) {
            assert.ok(start <= end && end - start <= 500);
            assert.not.match(text.slice(start, end), /^[\udc00-\udfff]|[\ud800-\udbff]$/);
          }
        },
      ),
    );
  });
  test('100 kB without a full stop', () => {
    const pieces = cut('abcdefghi '.repeat(10_000));
    assert.is(pieces.length, 16);
    assert.ok(pieces.every(piece => piece.startsWith('abc') && piece.endsWith('ghi')));
  });
});

suite('upper case', test => {
  test('mostly capitals', () => {
    assert.ok(isUpperCase('RECORD PROFITS AT ACME'));
    assert.ok(isUpperCase('OPEC+ CUTS OUTPUT by 5%'));
    assert.not.ok(isUpperCase('OPEC cuts output'));
    assert.not.ok(isUpperCase('12:30 \u{1f389}'));
  });
});

suite('language', test => {
  const tokenizer = createTokenizer(readModelFiles(defaultModelDir()).vocabulary);
  const language = (text: string): Promise<string | null> => {
    const { ids } = tokenizer(text, false);
    return foreignLanguage(text, {
      pieces: ids.length - 2,
      unknown: ids.filter(id => id === UNKNOWN).length,
    });
  };
  const foreign = {
    'Διακοπή ρεύματος σε όλη την πόλη': 'el',
    ไฟดับทั่วทั้งเมืองเมื่อคืนนี้: 'th',
    '공장에서 폭발 사고가 발생해 세 명이 숨졌다': 'ko',
    'Wstrzymano produkcję po pożarze, związkowcy żądają wyjaśnień': 'pl',
    '🎉🎉 100%': 'und',
  };
  for (const [text, code] of Object.entries(foreign))
    test(`${text}: ${code}`, async () => assert.is(await language(text), code));
  const read = [
    'Initech restarts idled mine',
    'Revenue rose 0.2%',
    'Deutsche Bahn strike called off',
    'Testnet upgraded',
    'OPEC+ cuts',
    'Stromausfall in der ganzen Stadt',
    'Le gouvernement annonce une hausse des taxes',
    'Взрыв на заводе, погибли три человека',
    'El banco central sube los tipos de interés',
    'انفجار في مصنع',
    '工場で爆発、3人死亡',
    '工厂爆炸，三人死亡',
    'हड़ताल टली, समझौता हो गया',
    'ধর্মঘট প্রত্যাহার',
    'ہڑتال ختم، مذاکرات کامیاب',
    'Greve dos estivadores suspensa',
  ];
  for (const text of read) test(`${text}: read`, async () => assert.is(await language(text), null));
});
