import * as assert from 'uvu/assert';
import { ExpressionFault, parseExpression } from '../../../domain/segments/expression/parser.js';
import { randomOf, seedFrom } from '../../random.js';
import { suite } from '../../suite.js';
import { built, columnOf, feature, input, pointsOf, recipeOf, sourcesOf } from './given.js';

const signals = {
  y: pointsOf([1, 2, 4, 8]),
  x: pointsOf([-1, 0.5, null, 3]),
  'odd key': pointsOf([9, 8, 7, 6]),
};
const given = (expression: string) =>
  built(
    recipeOf({
      inputs: [input('x'), input('odd key')],
      features: [feature('e', 'expression', { expression })],
    }),
    sourcesOf({ signals }),
  );
const of = async (expression: string): Promise<(number | null)[]> => columnOf(await given(expression), 'e');
const fault = (text: string): { message: string; place: number } => {
  try {
    parseExpression(text);
  } catch (error) {
    if (error instanceof ExpressionFault) return { message: error.message, place: error.place };
    throw error;
  }
  throw new Error(`${text} is an expression`);
};

suite('expressions', test => {
  test('operators bind as in arithmetic', async () => {
    assert.equal(await of('1 + y * 2'), [3, 5, 9, 17]);
    assert.equal(await of('(1 + y) * 2'), [4, 6, 10, 18]);
    assert.equal(await of('8 - 4 - y'), [3, 2, 0, -4]);
    assert.equal(await of('16 / y / 2'), [8, 4, 2, 1]);
    assert.equal(await of('-y + 2 - -1'), [2, 1, -1, -5]);
    assert.equal(await of('2 * -y'), [-2, -4, -8, -16]);
    assert.equal(await of(' .5*y+1e1 -1.5E-1 '), [10.35, 10.85, 11.85, 13.85]);
  });

  test('functions and names in backticks', async () => {
    assert.equal(await of('max(y, 3, `odd key` - 4)'), [5, 4, 4, 8]);
    assert.equal(await of('min(y, 3)'), [1, 2, 3, 3]);
    assert.equal(await of('abs(x)'), [1, 0.5, null, 3]);
    assert.equal(await of('log(y)'), [0, Math.log(2), Math.log(4), Math.log(8)]);
  });

  test('what is missing or not finite is null', async () => {
    assert.equal(await of('1 / (y - 2)'), [-1, null, 0.5, 1 / 6]);
    assert.equal(await of('log(x)'), [null, Math.log(0.5), null, Math.log(3)]);
    assert.equal(await of('max(x, 100)'), [100, 100, null, 100]);
    assert.equal(await of('1e308 * y * 10'), [null, null, null, null]);
  });

  test('lags look back, of anything, within the table', async () => {
    assert.equal(await of('lag(y, 1)'), [null, 1, 2, 4]);
    assert.equal(await of('lag(y + lag(y, 1), 1)'), [null, null, 3, 6]);
    assert.equal(await of('lag(5, 2)'), [null, null, 5, 5]);
    assert.equal(await of('y - lag(y, 10)'), [null, null, null, null]);
  });

  test('a name may be that of a function where it is not called', () =>
    assert.equal(
      [...parseExpression('log + min.x_1 * log').columns],
      [
        ['log', 0],
        ['min.x_1', 6],
      ],
    ));

  test('says where it is wrong', () => {
    assert.equal(fault('y + '), {
      message: 'expected a number, a name or a bracket, found the end at character 5',
      place: 4,
    });
    assert.is(fault('y ^ 2').place, 2);
    assert.is(fault('(y').message, "expected ')', found the end at character 3");
    assert.is(fault('y y').message, "nothing may follow here, found 'y' at character 3");
    assert.is(
      fault('exp(y)').message,
      'there is no function exp: min, max, abs, log, lag are there at character 1',
    );
    assert.is(fault('1 + lag(y, 0)').place, 11);
    assert.is(fault('lag(y, 1.5)').place, 7);
    assert.is(fault('lag(y, x)').place, 7);
    assert.is(fault('lag(y)').message, "expected ',', found ')' at character 6");
    assert.is(fault('min(y)').place, 5);
    assert.is(fault('abs(y, 1)').place, 5);
    assert.is(fault('`y').place, 0);
    assert.is(fault('``').place, 0);
    assert.is(fault('').place, 0);
    assert.is(fault('log(y').place, 5);
    assert.is(fault('y.constructor()').place, 0);
  });

  test('has bounds: levels, characters, steps back', () => {
    const nested = (levels: number): string => `${'('.repeat(levels)}y${')'.repeat(levels)}`;
    parseExpression(nested(100));
    assert.is(fault(nested(101)).message, 'an expression has at most 100 levels at character 101');
    assert.is(fault(`${'-'.repeat(101)}y`).place, 100);
    const long = (characters: number): string => `y${'+y'.repeat(1_999)}`.padEnd(characters);
    parseExpression(long(4_000));
    assert.is(fault(long(4_001)).message, 'an expression has at most 4000 characters at character 4001');
    parseExpression('lag(lag(y, 5000), 5000)');
    assert.is(fault('lag(lag(y, 5000), 5001)').place, 18);
    assert.is(fault('lag(y, 99999999999)').place, 7);
  });

  test('whatever is written, it is read or refused', () => {
    const random = randomOf(seedFrom('EXPRESSIONS_SEED'));
    const parts = [
      'y',
      'x',
      '(',
      ')',
      ',',
      '+',
      '-',
      '*',
      '/',
      'lag',
      'min',
      'log',
      '1',
      '2.5',
      '`',
      ' ',
      '\n',
      '__proto__',
      'é',
      '0',
    ];
    let read = 0;
    for (let round = 0; round < 20_000; round++) {
      const text = Array.from({ length: random.below(12) }, () => random.pick(parts)).join('');
      try {
        parseExpression(text);
        read++;
      } catch (error) {
        assert.instance(error, ExpressionFault, text);
        assert.ok((error as ExpressionFault).place <= text.length);
      }
    }
    assert.ok(read > 100, `${read} were read`);
  });
});
