import { randomOf } from '../../../random.js';

/** `columns` and `target` in rows of training, then `heldOut` rows. */
export type Table = {
  readonly columns: Float64Array[];
  readonly target: Float64Array;
  readonly heldOut: number;
};

const ROWS = 2_000;
const HELD_OUT = 500;

/** Each draws from its own generator in the order that lightgbm.py does. */
const made = (seed: number, features: number, row: (next: () => number) => number[]): Table => {
  const { next } = randomOf(seed);
  const rows = Array.from({ length: ROWS }, () => row(next));
  const column = (j: number): Float64Array => Float64Array.from(rows, each => each[j]!);
  return {
    columns: Array.from({ length: features }, (_, j) => column(j)),
    target: column(features),
    heldOut: HELD_OUT,
  };
};

/** Nearly normal, of deviation 1. */
const noise = (next: () => number): number => {
  let sum = -6;
  for (let i = 0; i < 12; i++) sum += next();
  return sum;
};

/** The function of Friedman (1991), five of ten columns useless. */
const friedman = made(11, 10, next => {
  const x = Array.from({ length: 10 }, next);
  const y =
    10 * Math.sin(Math.PI * x[0]! * x[1]!) + 20 * (x[2]! - 0.5) ** 2 + 10 * x[3]! + 5 * x[4]! + noise(next);
  return [...x, y];
});

/** A fifth of two columns is missing, which says something itself in one; noise that grows. */
const missing = made(12, 4, next => {
  const x = Array.from({ length: 4 }, next);
  const gone = next() < 0.2;
  const y = 4 * x[0]! + 3 * x[1]! * x[2]! + (gone ? 3 : 0) + (0.2 + 2 * x[3]!) * noise(next);
  return [next() < 0.2 ? NaN : x[0]!, x[1]!, x[2]!, gone ? NaN : x[3]!, y];
});

/** Few different values, as of hours and days, one constant column, and counts as target. */
const calendar = made(13, 5, next => {
  const hour = Math.floor(24 * next());
  const day = Math.floor(7 * next());
  const level = 5 + Math.floor(20 * next());
  const mean = level * (1 + 0.5 * Math.sin((hour * Math.PI) / 12)) * (day > 4 ? 0.5 : 1);
  return [hour, day, level, 7, next() < 0.05 ? 1 : 0, Math.round(mean + 0.3 * mean * noise(next))];
});

export const tables: Readonly<Record<string, Table>> = { friedman, missing, calendar };

/** The rows of training, and those held out. */
export function parted({
  columns,
  target,
  heldOut,
}: Table): Record<'training' | 'test', Omit<Table, 'heldOut'>> {
  const part = (from: number, to: number): Omit<Table, 'heldOut'> => ({
    columns: columns.map(column => column.slice(from, to)),
    target: target.slice(from, to),
  });
  return { training: part(0, target.length - heldOut), test: part(target.length - heldOut, target.length) };
}

/** The mean pinball loss. */
export const pinball = (level: number, target: Float64Array, forecast: Float64Array): number =>
  target.reduce((sum, y, i) => {
    const residual = y - forecast[i]!;
    return sum + Math.max(level * residual, (level - 1) * residual);
  }, 0) / target.length;
