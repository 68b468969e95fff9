/** Arithmetic on columns of numbers that lie one behind the other in one array. */

/**
 * Sum of x[i] y[i] over `length` numbers from the offsets on; in four sums, which the processor adds side by
 * side.
 */
export function dot(x: Float64Array, xAt: number, y: Float64Array, yAt: number, length: number): number {
  let a = 0;
  let b = 0;
  let c = 0;
  let d = 0;
  let i = 0;
  for (; i + 3 < length; i += 4) {
    a += x[xAt + i]! * y[yAt + i]!;
    b += x[xAt + i + 1]! * y[yAt + i + 1]!;
    c += x[xAt + i + 2]! * y[yAt + i + 2]!;
    d += x[xAt + i + 3]! * y[yAt + i + 3]!;
  }
  for (; i < length; i++) a += x[xAt + i]! * y[yAt + i]!;
  return a + b + (c + d);
}

/** y[i] -= factor x[i] over `length` numbers from the offsets on. */
export function subtract(
  factor: number,
  x: Float64Array,
  xAt: number,
  y: Float64Array,
  yAt: number,
  length: number,
): void {
  let i = 0;
  for (; i + 3 < length; i += 4) {
    y[yAt + i]! -= factor * x[xAt + i]!;
    y[yAt + i + 1]! -= factor * x[xAt + i + 1]!;
    y[yAt + i + 2]! -= factor * x[xAt + i + 2]!;
    y[yAt + i + 3]! -= factor * x[xAt + i + 3]!;
  }
  for (; i < length; i++) y[yAt + i]! -= factor * x[xAt + i]!;
}

/** Subtracts factor x from y and then takes the sum of z[i] y[i], the same to the bit, in one pass. */
export function subtractThenDot(factor: number, x: Float64Array, y: Float64Array, z: Float64Array): number {
  let a = 0;
  let b = 0;
  let c = 0;
  let d = 0;
  let i = 0;
  for (; i + 3 < y.length; i += 4) {
    y[i]! -= factor * x[i]!;
    y[i + 1]! -= factor * x[i + 1]!;
    y[i + 2]! -= factor * x[i + 2]!;
    y[i + 3]! -= factor * x[i + 3]!;
    a += z[i]! * y[i]!;
    b += z[i + 1]! * y[i + 1]!;
    c += z[i + 2]! * y[i + 2]!;
    d += z[i + 3]! * y[i + 3]!;
  }
  for (; i < y.length; i++) {
    y[i]! -= factor * x[i]!;
    a += z[i]! * y[i]!;
  }
  return a + b + (c + d);
}

export const norm = (x: Float64Array, at: number, length: number): number =>
  Math.sqrt(dot(x, at, x, at, length));

/**
 * The sums of products of `count` columns of x with `count` of y, all of `length` numbers one behind the
 * other; into[i * count + j] is that of column i of x and j of y. `count` is even: two by two, each number
 * fetched serves twice.
 */
export function products(
  x: Float64Array,
  xAt: number,
  y: Float64Array,
  yAt: number,
  length: number,
  count: number,
  into: Float64Array,
): void {
  for (let i = 0; i < count; i += 2)
    for (let j = 0; j < count; j += 2) {
      const p = xAt + i * length;
      const q = p + length;
      const r = yAt + j * length;
      const s = r + length;
      let pr = 0;
      let ps = 0;
      let qr = 0;
      let qs = 0;
      for (let k = 0; k < length; k++) {
        const a = x[p + k]!;
        const b = x[q + k]!;
        const c = y[r + k]!;
        const d = y[s + k]!;
        pr += a * c;
        ps += a * d;
        qr += b * c;
        qs += b * d;
      }
      into[i * count + j] = pr;
      into[i * count + j + 1] = ps;
      into[(i + 1) * count + j] = qr;
      into[(i + 1) * count + j + 1] = qs;
    }
}
