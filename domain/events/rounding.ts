/** Rounded to 4 decimals (never minus zero). */
export const round4 = (x: number): number => Math.round(x * 1e4) / 1e4 + 0;

export const clamp = (x: number, low: number, high: number): number => Math.min(high, Math.max(low, x));
