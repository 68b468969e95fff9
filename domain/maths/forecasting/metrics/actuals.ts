/** Visits the actuals that are known, each with its step; RangeError where there are more than steps. */
export function eachActual(
  actual: Float64Array,
  horizon: number,
  visit: (y: number, step: number) => void,
): void {
  if (actual.length > horizon)
    throw new RangeError(`${actual.length} actuals for a forecast of ${horizon} steps`);
  actual.forEach((y, step) => {
    if (Number.isFinite(y)) visit(y, step);
  });
}

/** NaN of none. */
export const mean = (values: readonly number[]): number =>
  values.reduce((sum, value) => sum + value, 0) / values.length;

/** A scale to divide by; NaN where there is none. */
export const positive = (scale: number): number => (scale > 0 ? scale : NaN);
