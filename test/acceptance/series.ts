import { randomOf } from '../random.js';

/**
 * Monthly totals of international airline passengers in thousands, January 1949 to December 1960: series G of
 * Box and Jenkins (1970), public domain.
 */
export const passengers: readonly number[] = [
  [112, 118, 132, 129, 121, 135, 148, 148, 136, 119, 104, 118],
  [115, 126, 141, 135, 125, 149, 170, 170, 158, 133, 114, 140],
  [145, 150, 178, 163, 172, 178, 199, 199, 184, 162, 146, 166],
  [171, 180, 193, 181, 183, 218, 230, 242, 209, 191, 172, 194],
  [196, 196, 236, 235, 229, 243, 264, 272, 237, 211, 180, 201],
  [204, 188, 235, 227, 234, 264, 302, 293, 259, 229, 203, 229],
  [242, 233, 267, 269, 270, 315, 364, 347, 312, 274, 237, 278],
  [284, 277, 317, 313, 318, 374, 413, 405, 355, 306, 271, 306],
  [315, 301, 356, 348, 355, 422, 465, 467, 404, 347, 305, 336],
  [340, 318, 362, 348, 363, 435, 491, 505, 404, 359, 310, 337],
  [360, 342, 406, 396, 420, 472, 548, 559, 463, 407, 362, 405],
  [417, 391, 419, 461, 472, 535, 622, 606, 508, 461, 390, 432],
].flat();
/** The first day of the month of each of `passengers`, epoch ms; also of months before and after. */
export const month = (i: number): number => Date.UTC(1949, i, 1);

/** A number from a normal distribution with deviation 1, by Box and Muller. */
function normals(seed: number): () => number {
  const { next } = randomOf(seed);
  return () => Math.sqrt(-2 * Math.log(1 - next())) * Math.cos(2 * Math.PI * next());
}

/** Orders a day of a shop: a week that repeats itself, a slow rise, and noise. */
export function daily(length: number, { seed = 1, noise = 3 } = {}): number[] {
  const draw = normals(seed);
  const week = [100, 96, 95, 99, 118, 140, 128];
  return Array.from({ length }, (_, i) => round(week[i % 7]! + 0.05 * i + noise * draw()));
}

/** Noise around a level: what has no shape but its spread. */
export function noise(length: number, seed = 2): number[] {
  const draw = normals(seed);
  return Array.from({ length }, () => round(50 + 4 * draw()));
}

const round = (value: number): number => Math.round(value * 100) / 100;

export const mean = (values: readonly number[]): number =>
  values.reduce((total, value) => total + value, 0) / values.length;
/** Mean distance of two lists. */
export const distance = (a: readonly number[], b: readonly number[]): number =>
  mean(a.map((value, i) => Math.abs(value - b[i]!)));
