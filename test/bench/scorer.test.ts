import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import * as assert from 'uvu/assert';
import { defaultModelDir } from '../../adapters/scorer/files.js';
import { afinnSum, byAfinn, byVader } from '../../bench/scorer-others.js';
import { qualityOf, type Judgement } from '../../bench/scorer-quality.js';
import {
  labelled,
  PARTS,
  partsOf,
  settle,
  type Labelled,
  type Part,
  type Sign,
} from '../../bench/scorer-set.js';
import { suite } from '../suite.js';

/** What the recipe makes of the labelled texts; see test/data/scorer-parts.py. */
const recorded = JSON.parse(
  readFileSync(new URL('../../../test/data/scorer-parts.json', import.meta.url), 'utf8'),
) as Record<Part, { texts: number; ids: string; labels: string }>;
const digest = (lines: string[]): string =>
  createHash('sha256').update(lines.sort().join('\n')).digest('hex');

suite('the labelled texts of the bench', test => {
  const rows = labelled(join(defaultModelDir(), 'data'));

  for (const part of PARTS)
    test(`are those of the recipe: ${part}`, () => {
      const mine = rows.filter(row => row.part === part);
      assert.is(mine.length, recorded[part].texts);
      assert.is(digest(mine.map(({ id }) => id)), recorded[part].ids);
      assert.is(
        digest(mine.map(({ id, sentiment, importance }) => `${id} ${sentiment} ${importance}`)),
        recorded[part].labels,
      );
    });

  test('have every pattern in one part', () => {
    const distinct = (of: (row: Labelled) => string): number => new Set(rows.map(of)).size;
    assert.is(
      distinct(({ pattern, part }) => `${pattern} ${part}`),
      distinct(({ pattern }) => pattern),
    );
  });

  // each is alone at home, and the first one there goes to the test
  test('have a pattern of two domains at home in the first', () => {
    const texts = [
      ['a-storm', 'energy'],
      ['a-storm', 'sport'],
      ['a-match', 'sport'],
    ] as const;
    const parts = partsOf(texts.map(([pattern, domain]) => ({ pattern, domain })));
    assert.equal(
      [...parts],
      [
        ['a-storm', 'test'],
        ['a-match', 'test'],
      ],
    );
  });

  test('are settled where the passes differ, and refused where nobody did', () => {
    const row = { id: 'sport-001', sentiment: 1 as Sign, importance: 0.5 };
    const second = { ...row, sentiment: 0 as Sign, importance: 0.25 };
    assert.equal(settle(row, second, -1), { id: 'sport-001', sentiment: -1, importance: 0.375 });
    assert.equal(settle(row, { ...second, sentiment: 1 }, -1), {
      id: 'sport-001',
      sentiment: 1,
      importance: 0.375,
    });
    assert.throws(() => settle(row, second, undefined), /sport-001/);
    assert.throws(() => settle(row, undefined, 1), /sport-001/);
  });
});

suite('the measures of the bench', test => {
  const truth = (
    lang: string,
    sentiment: Sign,
    importance: number,
    tags: string[] = [],
    signs: Sign[] = [],
  ) => ({
    lang,
    sentiment,
    importance,
    tags,
    targets: signs.map((sign, i) => ({ target: `target ${i}`, sign })),
  });
  const rows = [
    truth('en', 1, 0.2, ['reversal'], [1, -1]),
    truth('en', -1, 0.4),
    truth('de', 0, 0.6, ['reversal'], [-1]),
    truth('fr', 0, 0.8),
  ];

  test('by hand', () => {
    const judgements: Judgement[] = [
      { sentiment: 1, importance: 0.1, rank: 10, signs: [1, 1] },
      { sentiment: 0, importance: 0.3, rank: 30, signs: [] },
      { sentiment: 0, importance: 0.2, rank: 20, signs: [-1] },
      { sentiment: 0, importance: 0.4, rank: 90, signs: [] },
    ];
    const { right, importanceR, rankRho, signs } = qualityOf(rows, judgements);
    assert.equal(right, { all: 3 / 4, English: 1 / 2, reversals: 1, 'English reversals': 1 });
    // both are 1 2 3 4 against 1 3 2 4: 1 - 6 x 2 / (4 x 15)
    for (const r of [importanceR, rankRho]) assert.ok(Math.abs(r - 0.8) < 1e-12, `${r}`);
    assert.is(signs, 2 / 3);
  });

  test('of one that knows sentiments alone', () => {
    const { right, ...others } = qualityOf(
      rows,
      rows.map(() => ({ sentiment: 0 })),
    );
    assert.equal(right, { all: 1 / 2, English: 0, reversals: 1 / 2, 'English reversals': 0 });
    assert.equal(others, { importanceR: NaN, rankRho: NaN, signs: NaN });
  });
});

suite('the word lists of the bench', test => {
  test('AFINN adds marks of words, longer entries first', () => {
    assert.is(afinnSum('A good outcome, a bad process.'), 3 - 3);
    assert.is(afinnSum("I can't stand it. NOT GOOD!"), -3 - 2);
    assert.is(afinnSum('Bad-tempered, not well-developed: constructor'), -3 + 2);
    assert.equal(['good', 'bad', 'a process', ''].map(byAfinn), [1, -1, 0, 0]);
  });

  test('VADER is neutral below its threshold', () => {
    assert.equal(['This is great.', 'This is terrible.', 'The meeting is at noon.'].map(byVader), [1, -1, 0]);
  });
});
