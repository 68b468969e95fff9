import { itself, type ColumnBuffer, type FeatureMaker, type Place } from '../columns.js';
import type { FeatureKinds } from '../recipe.js';
import { parseExpression, type Operation } from './parser.js';

/** What an expression gives in each row; what is not a finite number is null. */
export const expression: FeatureMaker<FeatureKinds['expression']> = {
  names: itself,
  needs({ expression: text }) {
    const { columns, back } = parseExpression(text);
    return [...columns.keys()].map(column => ({ column, back }));
  },
  machine({ expression: text }, { column, outs, sheets }) {
    const { operations, columns, depth, back } = parseExpression(text);
    const buffers = new Map([...columns.keys()].map(name => [name, column(name)]));
    return {
      run(place) {
        const length = back + place.rows;
        const top = evaluated(operations, buffers, sheets(depth, length), back, place);
        outs[0]!.now(place.rows).set(top.subarray(back, length));
      },
    };
  },
};

/**
 * Every operation is done for the rows at work and `back` rows before them, so that a lag is a shift; rows
 * before the table's first are null after it.
 */
function evaluated(
  operations: readonly Operation[],
  buffers: ReadonlyMap<string, ColumnBuffer>,
  pile: readonly Float64Array[],
  back: number,
  { rows, first }: Place,
): Float64Array {
  const length = back + rows;
  let top = -1;
  for (const operation of operations) {
    if (operation.op === 'number') pile[++top]!.fill(operation.value, 0, length);
    else if (operation.op === 'column') {
      const { values, back: kept } = buffers.get(operation.name)!;
      pile[++top]!.set(values.subarray(kept - back, kept + rows));
    } else if (operation.op === 'lag') {
      const column = pile[top]!;
      column.copyWithin(operation.steps, 0, length - operation.steps);
      // Rows before the first of the table have no value, also where an expression has one for every row
      column.fill(NaN, 0, Math.max(operation.steps, back - first + operation.steps));
    } else if (isUnary(operation.op)) unary[operation.op](pile[top]!, length);
    else {
      top--;
      binary[operation.op](pile[top]!, pile[top + 1]!, length);
    }
  }
  return pile[0]!;
}

type Unary = 'negative' | 'abs' | 'log';
type Binary = '+' | '-' | '*' | '/' | 'min' | 'max';
const isUnary = (op: Unary | Binary): op is Unary => op === 'negative' || op === 'abs' || op === 'log';

const unary: Readonly<Record<Unary, (a: Float64Array, length: number) => void>> = {
  negative(a, length) {
    for (let i = 0; i < length; i++) a[i] = -a[i]!;
  },
  abs(a, length) {
    for (let i = 0; i < length; i++) a[i] = Math.abs(a[i]!);
  },
  log(a, length) {
    for (let i = 0; i < length; i++) a[i] = Math.log(a[i]!);
  },
};

const binary: Readonly<Record<Binary, (a: Float64Array, b: Float64Array, length: number) => void>> = {
  '+'(a, b, length) {
    for (let i = 0; i < length; i++) a[i]! += b[i]!;
  },
  '-'(a, b, length) {
    for (let i = 0; i < length; i++) a[i]! -= b[i]!;
  },
  '*'(a, b, length) {
    for (let i = 0; i < length; i++) a[i]! *= b[i]!;
  },
  '/'(a, b, length) {
    for (let i = 0; i < length; i++) a[i]! /= b[i]!;
  },
  min(a, b, length) {
    for (let i = 0; i < length; i++) a[i] = Math.min(a[i]!, b[i]!);
  },
  max(a, b, length) {
    for (let i = 0; i < length; i++) a[i] = Math.max(a[i]!, b[i]!);
  },
};
