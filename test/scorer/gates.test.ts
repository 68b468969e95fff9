import fc from 'fast-check';
import * as assert from 'uvu/assert';
import { defaultModelDir, readModelFiles } from '../../adapters/scorer/files.js';
import { foreignLanguage, isUpperCase, sentencesOf, withoutMarkup } from '../../adapters/scorer/gates.js';
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
    assert.is(
      cut('\u06a9\u0627\u0631\u062e\u0627\u0646\u06c1 \u0628\u0646\u062f\u06d4 '.repeat(60)).length,
      16,
    );
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
            assert.ok(start <= end && text.slice(start, end).replace(/\s+/gu, ' ').length <= 500);
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

suite('markup', test => {
  const bare = (text: string): string => withoutMarkup(text).replace(/\s+/g, ' ').trim();
  test('tags, comments, styles and scripts are blanks', () => {
    assert.is(bare('<DIV id=x>Fire<br/>at <b>the</b> mill<!-- <i>old</i> --></DIV>'), 'Fire at the mill');
    assert.is(bare('<style>.fire { color: red }</style>Mill <script>fail()</script>open'), 'Mill open');
  });
  test('markup that is written as entities, as feeds do, is blanks, too', () => {
    assert.is(
      bare('&lt;p class=&quot;x&quot;&gt;Fire at the&amp;nbsp;mill&lt;/p&gt;&lt;br/&gt;'),
      'Fire at the mill',
    );
    assert.match(withoutMarkup('&lt;p&gt;Fire&lt;/p&gt;Four hurt'), /Fire +\nFour hurt/);
    for (const text of [
      'a &lt; b and c &gt; d',
      'x&lt;5 and y&gt;3',
      'pressure&lt;minimum and level&gt;most',
    ])
      assert.is(withoutMarkup(text), text);
  });
  test('what only looks like tags stays', () => {
    for (const text of [
      'a < b and c > d',
      'x<5 and y>3',
      '<3 this',
      'profit <up',
      '> quoted',
      '<Server down>',
      '<https://s.acme.example|Status page down>',
      'Alarm <critical> disk full',
      'alert if pressure<minimum and level>maximum',
      'R&D; AT&amp;T',
    ])
      assert.is(withoutMarkup(text), text);
  });
  test('entities that are blanks or quotation marks, too; where a block ends, a line does', () => {
    assert.is(bare('&nbsp;&quot;Fire&quot;&nbsp;'), 'Fire');
    assert.match(withoutMarkup('<p>Fire</p><p>Four hurt<br>'), /Fire +\n +Four hurt +\n/);
  });
  test('what is never closed goes on to the end', () => {
    assert.is(bare('Fire <style>.a { color: red }'), 'Fire');
    assert.is(bare('Fire <!-- at the mill'), 'Fire');
  });
  test('everything else stays at its place', () => {
    fc.assert(
      fc.property(
        fc.array(
          fc.constantFrom(
            ...['<b>', '</b>', '<', '>', '<!--', '-->', 'a', ' ', '\u{1f4a5}'],
            ...['&lt;b', '&lt;/p', '&gt;', '&amp;nbsp;', '&quot;'],
          ),
        ),
        parts => {
          const text = parts.join('');
          const found = withoutMarkup(text);
          assert.is(found.length, text.length);
          for (let i = 0; i < text.length; i++) assert.ok(found[i] === text[i] || /\s/.test(found[i]!));
        },
      ),
    );
  });
  test('a long text of tags alone is read whole, as the short text it is', () => {
    const text = withoutMarkup(`${'<td class="cell">'.repeat(100)}Fire. All is lost.${'</td>'.repeat(100)}`);
    assert.equal(sentencesOf(text), [[0, text.length]]);
  });
  test('100 kB of openings', () => {
    for (const opening of ['<', '<a', '<!--', '<style>', '<script ', '&lt;b ', '&lt;b &'])
      assert.is(
        withoutMarkup(opening.repeat(100_000 / opening.length)).length,
        opening.length * Math.floor(100_000 / opening.length),
      );
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
