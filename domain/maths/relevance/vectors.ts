/** Of columns of equal length. */
export function dot(x: Float64Array, y: Float64Array): number {
  // Four sums, which the processor adds side by side
  let a = 0;
  let b = 0;
  let c = 0;
  let d = 0;
  let i = 0;
  for (; i + 3 < x.length; i += 4) {
    a += x[i]! * y[i]!;
    b += x[i + 1]! * y[i + 1]!;
    c += x[i + 2]! * y[i + 2]!;
    d += x[i + 3]! * y[i + 3]!;
  }
  for (; i < x.length; i++) a += x[i]! * y[i]!;
  return a + b + c + d;
}

/** What is left of a column is rounding up to this share of its sum of squares. */
const DEPENDENT_SQUARES = 1e-20;

/**
 * In place: a column without its parts along directions (at right angles, of length 1); 0 where only rounding
 * is left.
 */
export function projectOut(directions: readonly Float64Array[], column: Float64Array): void {
  const size = dot(column, column);
  for (const direction of directions) projectOutOne(direction, column);
  // Where little is left, much of that is rounding; a second time is enough (Parlett 1980)
  if (dot(column, column) < size / 100) for (const direction of directions) projectOutOne(direction, column);
  if (dot(column, column) <= DEPENDENT_SQUARES * size) column.fill(0);
}

function projectOutOne(direction: Float64Array, column: Float64Array): void {
  const along = dot(direction, column);
  for (let i = 0; i < column.length; i++) column[i] = column[i]! - along * direction[i]!;
}

/** The direction of a column that is not 0. */
export function unit(column: Float64Array): Float64Array {
  const size = Math.sqrt(dot(column, column));
  return column.map(x => x / size);
}

export function minus(x: Float64Array, y: Float64Array): Float64Array {
  const difference = new Float64Array(x.length);
  for (let i = 0; i < x.length; i++) difference[i] = x[i]! - y[i]!;
  return difference;
}
