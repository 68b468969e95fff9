import fc from 'fast-check';
import * as assert from 'uvu/assert';
import {
  isNumericContent,
  neutralScores,
  normaliseValue,
  plainNumberIn,
  VALUE_LIMIT,
} from '../../domain/events/numeric.js';
import { round4 } from '../../domain/events/rounding.js';
import {
  closenessOf,
  closenessTo,
  impactOf,
  importanceOf,
  rankOf,
  readable,
  relevanceOf,
  riseOf,
  scoresOf,
  type TextFeatures,
} from '../../domain/events/score-formulas.js';
import { numberOf } from '../../domain/ingestion/items.js';
import { numberIn } from '../../domain/tables/cells.js';
import { suite } from '../suite.js';

const featuresOf = (changes: Partial<TextFeatures> = {}): TextFeatures => ({
  probabilities: [0.8, 0.15, 0.05],
  importance: 0.6,
  closeness: 0.12,
  rise: null,
  foreign: false,
  ...changes,
});

suite('scores of a reading', test => {
  test('sentiment is the likeliest class, polarity positive minus negative', () => {
    assert.equal(scoresOf(featuresOf()), {
      sentiment: 'negative',
      polarity: -0.75,
      importance: 0.6,
      relevance: 0.5,
      impact: -0.225,
      rank: 34,
    });
    assert.is(scoresOf(featuresOf({ probabilities: [0.1, 0.2, 0.7] })).sentiment, 'positive');
    assert.is(scoresOf(featuresOf({ probabilities: [0.3, 0.4, 0.3] })).sentiment, 'neutral');
  });
  test('a neutral text pushes a quarter as much', () => {
    const scores = { polarity: 0.4, importance: 0.5, relevance: 0.5 };
    assert.is(
      impactOf({ ...scores, sentiment: 'positive' }, null),
      4 * impactOf({ ...scores, sentiment: 'neutral' }, null),
    );
  });
  test('where a target is known to rise, impact has its sign, whatever the tone', () => {
    const bad = scoresOf(featuresOf({ rise: 0.8 }));
    assert.is(bad.sentiment, 'negative');
    assert.is(bad.impact, 0.24);
    assert.is(
      scoresOf(featuresOf({ rise: 0.8, foreign: true })).impact,
      scoresOf(featuresOf({ foreign: true })).impact,
    );
  });
  test('the closest target counts, when it is close and its direction clear', () => {
    const up = { closeness: 0.6, logit: 3 };
    const down = { closeness: 0.5, logit: -3 };
    assert.is(riseOf([up, down]), Math.tanh(1.5));
    assert.is(riseOf([{ ...up, closeness: 0.4 }, down]), -Math.tanh(1.5));
    assert.is(riseOf([{ ...up, closeness: 0.3 }]), null);
    assert.is(riseOf([{ ...up, logit: 1 }]), null);
    assert.is(riseOf([]), null);
  });
  test('a text in another language is neutral, its polarity a quarter and its importance half', () => {
    const scores = scoresOf(featuresOf({ foreign: true }));
    assert.is(scores.sentiment, 'neutral');
    assert.is(scores.polarity, -0.1875);
    assert.is(scores.importance, 0.3);
  });
  test('rank is 100 sqrt(relevance) (0.7 importance + 0.3 |impact|)', () => {
    assert.is(rankOf({ importance: 1, relevance: 1, impact: -1 }), 100);
    assert.is(rankOf({ importance: 1, relevance: 0.25, impact: 0 }), 35);
    assert.is(rankOf({ importance: 0, relevance: 1, impact: 0 }), 0);
  });
  test('every score is in its range, at 4 decimals, and rank follows from the others', () => {
    const unit = fc.double({ min: 0, max: 1, noNaN: true });
    const odds = fc.tuple(unit, unit, unit).map(([a, b, c]): [number, number, number] => {
      const sum = a + b + c || 1;
      return [a / sum, b / sum, c / sum];
    });
    const closeness = fc.option(fc.double({ min: -1, max: 1, noNaN: true }));
    fc.assert(
      fc.property(
        fc.record({
          probabilities: odds,
          importance: unit,
          closeness,
          rise: fc.option(fc.double({ min: -1, max: 1, noNaN: true })),
          foreign: fc.boolean(),
        }),
        r => {
          const scores = scoresOf(r);
          const { polarity, importance, relevance, impact, rank } = scores;
          for (const x of [polarity, importance, relevance, impact]) assert.is(x, round4(x));
          assert.ok(Math.abs(polarity) <= 1 && Math.abs(impact) <= 1);
          assert.ok(importance >= 0 && importance <= 1 && relevance >= 0 && relevance <= 1);
          assert.ok(Number.isInteger(rank) && rank >= 0 && rank <= 100);
          assert.is(rank, rankOf(scores));
          assert.is(impact, round4(impactOf(scores, r.foreign ? null : r.rise)));
        },
      ),
    );
  });
  test('importance stays within 0..1', () => {
    assert.equal([-1, 0, 0.575, 1, 2].map(importanceOf), [0, 0, 0.575, 1, 1]);
  });
  test('relevance: 0.5 without a profile and at its middle, rising with closeness', () => {
    assert.is(relevanceOf(null), 0.5);
    assert.is(relevanceOf(0.12), 0.5);
    assert.ok(relevanceOf(0.3) > 0.95 && relevanceOf(-0.06) < 0.05);
  });
  test('closeness: half the whole profile, half the three best phrases, in any order', () => {
    assert.is(round4(closenessOf(0.4, [0.1, 0.9, 0.3, 0.6])), 0.5);
    assert.is(closenessOf(0.4, [0.6, 0.3, 0.1, 0.9]), closenessOf(0.4, [0.1, 0.9, 0.3, 0.6]));
    assert.is(closenessOf(0.2, [0.4]), 0.30000000000000004);
    assert.is(closenessOf(0.2, []), 0.2);
  });
  test('names only ever raise a closeness, alone from the middle on', () => {
    const words = { whole: 0.2, phrases: [0.4, 0.1], names: [] };
    assert.is(closenessTo({ whole: 0, phrases: [], names: [] }), null);
    assert.is(closenessTo(words), closenessOf(0.2, [0.4, 0.1]));
    assert.is(closenessTo({ ...words, names: [0, -0.1] }), closenessTo(words));
    assert.is(closenessTo({ ...words, names: [0.6] }), closenessOf(0.2, [0.4, 0.1, 0.6]));
    assert.is(relevanceOf(closenessTo({ whole: -0.1, phrases: [], names: [0.1] })), 0.5);
    assert.is(closenessTo({ whole: 0.3, phrases: [], names: [0.5] }), 0.4);
  });
  test('numeric content has neutral scores', () => {
    assert.equal(neutralScores(), {
      sentiment: 'neutral',
      polarity: 0,
      importance: 0,
      relevance: 0,
      impact: 0,
      rank: 0,
    });
  });
});

suite('numeric content', test => {
  const numeric = [
    '42',
    ' -3.5 ',
    '1,250.00',
    '12.5%',
    '€ 1.200,50',
    '$5 / $6',
    '+1e5',
    '6.02E+23',
    '١٢٣',
    '−4 ± 2',
    '2026-03-01',
    '---',
    '',
  ];
  for (const text of numeric)
    test(`${JSON.stringify(text)} is`, () => assert.ok(isNumericContent(text, 'text')));
  for (const text of ['5 MW', 'rose 3%', 'e5', '1\ufe0f\u20e3', '🎉', '三', 'x', 'NaN', 'Infinity'])
    test(`${JSON.stringify(text)} is not`, () => assert.not.ok(isNumericContent(text, 'text')));
  test('a data type that says number decides', () => {
    assert.ok(isNumericContent('five', 'number'));
    assert.ok(isNumericContent('five', 'Integer'));
    assert.not.ok(isNumericContent('five', 'json'));
  });
  const numbers = Object.entries({
    ...{ '17': 17, ' -18.50\n': -18.5, '+.5': 0.5, '5.': 5, '6.02E+23': 6.02e23, '-0': 0, '007': 7 },
    ...{ '': null, '1e999': null, '1,234': null, '17 18': null, $5: null, '5%': null, '.5e3': null },
    ...{ '0x10': null, '2026-03-01': null, '---': null },
  });
  for (const [text, number] of numbers)
    test(`${JSON.stringify(text)} is the number ${number}`, () => assert.is(plainNumberIn(text), number));
  test('100 kB are read in one go', () => {
    assert.ok(isNumericContent('1 '.repeat(50_000), 'text'));
    assert.not.ok(isNumericContent(`${'1 '.repeat(50_000)}x`, 'text'));
    // Without a sight of their end digits must not be tried in every two parts: that took a minute
    const begun = performance.now();
    for (const read of [plainNumberIn, numberOf, numberIn]) assert.is(read(`${'1'.repeat(100_000)}x`), null);
    assert.ok(performance.now() - begun < 5_000);
  });
});

suite('normalised value', test => {
  test('distance from the median in robust standard deviations', () => {
    assert.is(normaliseValue(5, [1, 2, 3, 4, 5]), round4(2 / 1.4826));
    assert.is(normaliseValue(3, [1, 2, 3, 4, 5]), 0);
    assert.is(normaliseValue(1, [5, 4, 3, 2, 1]), -round4(2 / 1.4826));
  });
  test('one wild value in the past changes little', () => {
    const calm = Array.from({ length: 101 }, (_, i) => i);
    assert.ok(Math.abs(normaliseValue(80, calm) - normaliseValue(80, [...calm.slice(1), 1e9])) < 0.1);
  });
  test('more than half the values equal: the mean absolute deviation takes over', () => {
    assert.is(normaliseValue(10, [5, 5, 5, 5, 10]), round4(5 / 1.2533));
  });
  test('a constant history: usual or at the limit', () => {
    assert.is(normaliseValue(7, [7, 7, 7, 7, 7]), 0);
    assert.is(normaliseValue(7.01, [7, 7, 7, 7, 7]), VALUE_LIMIT);
    assert.is(normaliseValue(-7, [7, 7, 7, 7, 7]), -VALUE_LIMIT);
    assert.is(normaliseValue(0, [0, 0, 0, 0, 0]), 0);
  });
  test('a short history tells nothing', () => {
    assert.is(normaliseValue(1e9, []), 0);
    assert.is(normaliseValue(1e9, [1, 2, 3, 4]), 0);
  });
  test('order leaves no trace, the range holds, and so it does for the largest numbers', () => {
    const number = fc.double({ noNaN: true, noDefaultInfinity: true });
    const history = fc
      .array(number, { maxLength: 40 })
      .chain(values =>
        fc.tuple(fc.constant(values), fc.shuffledSubarray(values, { minLength: values.length })),
      );
    fc.assert(
      fc.property(number, history, (value, [values, shuffled]) => {
        const z = normaliseValue(value, values);
        assert.is(z, normaliseValue(value, shuffled));
        assert.ok(z >= -VALUE_LIMIT && z <= VALUE_LIMIT);
      }),
    );
    assert.is(normaliseValue(1e308, [-1e308, 1e308, -1e308, 1e308, -1e308]), round4(2 / 1.2533 / 0.8));
  });
});

suite('readable keys', test => {
  test('keys become words', () => {
    assert.is(readable('net_load.deBelow'), 'net load de Below');
    assert.is(readable('  news:EU-energy/gas '), 'news EU energy gas');
    assert.is(readable('day ahead price'), 'day ahead price');
  });
});
