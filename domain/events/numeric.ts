import { clamp, round4 } from './rounding.js';
import type { Scores } from './scoring.js';

const NUMERIC_TYPES: ReadonlySet<string> = new Set(['number', 'numeric', 'integer', 'float']);
const NO_LETTERS = /^[\p{N}\p{P}\p{Sc}\p{Sm}\s]*$/u;
const DECIMAL = /^\s*[-+]?(?:\d+(?:\.\d*)?|\.\d+)\s*$/;
const SCIENTIFIC = /^\s*[-+]?\d+(?:\.\d+)?e[-+]?\d+\s*$/i;

/**
 * Nothing but digits, punctuation, blanks, currency, percent and mathematical signs; or said to be a number.
 */
export const isNumericContent = (text: string, dataType: string): boolean =>
  NUMERIC_TYPES.has(dataType.toLowerCase()) || NO_LETTERS.test(text) || SCIENTIFIC.test(text);

/** The number that a text is and no more, in decimal or scientific notation; null: it is none. */
export function plainNumberIn(text: string): number | null {
  if (!DECIMAL.test(text) && !SCIENTIFIC.test(text)) return null;
  const value = Number(text) + 0;
  return Number.isFinite(value) ? value : null;
}

/** The scores of numeric content: its value carries the weight. */
export const neutralScores = (): Scores => ({
  sentiment: 'neutral',
  polarity: 0,
  importance: 0,
  relevance: 0,
  impact: 0,
  rank: 0,
});

/** Normalised values lie in -VALUE_LIMIT..VALUE_LIMIT robust standard deviations. */
export const VALUE_LIMIT = 6;
/** With fewer earlier values there is no telling what is usual: the normalised value is 0. */
export const VALUE_MIN_HISTORY = 5;

/**
 * How unusual a value is for its stream: (value - median) / scale, clipped to -6..6, 4 decimals. `history`
 * are the (finite) values that occurred before it, in any order.
 *
 * scale = 1.4826 MAD, the median absolute deviation brought to the standard deviation of a normal
 * distribution (Hampel 1974; Rousseeuw and Croux 1993). Where MAD is 0, half the values or more being equal,
 * 1.2533 times the mean absolute deviation from the median (Iglewicz and Hoaglin 1993); where that is 0, too,
 * the history is constant, and any other value is at the limit.
 */
export const normaliseValue = (value: number, history: readonly number[]): number => {
  if (history.length < VALUE_MIN_HISTORY) return 0;
  const unit = largest([value, ...history]) || 1; // measured in it, not even the largest numbers overflow
  const past = history.map(x => x / unit);
  const middle = median(past);
  const deviations = past.map(x => Math.abs(x - middle)).sort((a, b) => a - b);
  const scale = 1.4826 * median(deviations) || 1.2533 * mean(deviations);
  const distance = value / unit - middle;
  if (scale > 0) return round4(clamp(distance / scale, -VALUE_LIMIT, VALUE_LIMIT));
  return VALUE_LIMIT * Math.sign(distance) + 0;
};

const largest = (values: readonly number[]): number =>
  values.reduce((most, x) => Math.max(most, Math.abs(x)), 0);

const median = (values: readonly number[]): number => {
  const sorted = [...values].sort((a, b) => a - b);
  const half = sorted.length >> 1;
  const upper = sorted[half] ?? 0;
  return sorted.length % 2 ? upper : ((sorted[half - 1] ?? upper) + upper) / 2;
};

/** Of sorted values, so that the order they came in leaves no trace in the last bits. */
const mean = (sorted: readonly number[]): number => sorted.reduce((sum, x) => sum + x, 0) / sorted.length;
