import type { Step } from '../series/grid.js';
import { seasonOf } from '../series/season.js';

/**
 * The period to forecast a series with: that of its season (`seasonOf`) in steps, or 1 where it shows none.
 */
export const periodOf = (series: Float64Array, step: Step): number => seasonOf(series, step) ?? 1;
