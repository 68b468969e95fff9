import fc from 'fast-check';
import type { Series } from '../../../../domain/maths/series/series.js';

/** A series of these values, `step` ms apart. */
export const every = (step: number, values: readonly number[], from = 0): Series => ({
  times: values.map((_, i) => from + i * step),
  values,
});

const finite = fc.oneof(fc.double({ noNaN: true, noDefaultInfinity: true }), fc.integer({ min: -3, max: 3 }));
const interval = fc.oneof(
  fc.integer({ min: 1, max: 50 }),
  fc.constantFrom(1, 60_000, 86_400_000, 2_678_400_000, 1e12),
);

/** Any series: intervals of 1 ms to 30 years, values of any size and often equal. */
export const anySeries = (maxLength = 60): fc.Arbitrary<Series> =>
  fc
    .tuple(fc.integer({ min: -1e12, max: 2e12 }), fc.array(fc.tuple(interval, finite), { maxLength }))
    .map(([from, points]) => {
      let time = from;
      return { times: points.map(([step]) => (time += step)), values: points.map(([, value]) => value) };
    });

/** The first of each month from `from` (a year and a month) on. */
export const firstsOfMonths = (year: number, month: number, count: number, step = 1): number[] =>
  Array.from({ length: count }, (_, i) => Date.UTC(year, month - 1 + i * step, 1));

export const near = (actual: number, expected: number, relative = 1e-12): boolean =>
  actual === expected
  || Math.abs(actual - expected) <= relative * Math.max(Math.abs(expected), Number.MIN_VALUE);
