import * as assert from 'uvu/assert';

/** Two numbers differ by no more than this share of the larger, or of 1. */
export function close(actual: number, expected: number, share = 1e-9): void {
  const allowed = share * Math.max(1, Math.abs(expected));
  assert.ok(Math.abs(actual - expected) <= allowed, `${actual} is not close to ${expected}`);
}
