/** A place on an axis, and what is written there. */
export type Tick = { readonly at: number; readonly label: string };

/** Round numbers, and from where on each is nearer (on a scale of logarithms) than the one before. */
const STEPS = [
  [10, Math.sqrt(50)],
  [5, Math.sqrt(10)],
  [2, Math.sqrt(2)],
  [1, 0],
] as const;
/** So many digits of a number are told at most; more is noise. */
const DIGITS = 12;

/** A round number for intervals of which about `count` lie between two others; both finite, low < high. */
export function niceStep(low: number, high: number, count: number): number {
  // Halves: the whole may be more than a number can hold
  const rough = (high / 2 - low / 2) * (2 / count);
  const power = 10 ** Math.floor(Math.log10(rough));
  const [step] = STEPS.find(([, from]) => rough / power >= from)!;
  return power * step;
}

/** Round numbers from about `low` to about `high`, which lie within them; about `count` intervals. */
export function numberTicks(low: number, high: number, count: number): Tick[] {
  const step = niceStep(low, high, count);
  const first = Math.floor(low / step + 1e-9);
  const last = Math.ceil(high / step - 1e-9);
  const decimals = decimalsOf(step);
  return Array.from({ length: last - first + 1 }, (_, i) => {
    const at = (first + i) * step;
    return { at, label: numberText(at, decimals) };
  });
}

/** How many decimals tell numbers of this size apart: 0.25 has 2, 10 has none. */
export function decimalsOf(size: number): number {
  if (!(size > 0) || size >= 1) return 0;
  return Math.min(DIGITS, Math.ceil(-Math.log10(size) - 1e-9));
}

const HUGE = 1e12;

/** A number for people: `1,234.50`; very large ones as powers of ten. */
export function numberText(value: number, decimals: number): string {
  if (Math.abs(value) >= HUGE) return value.toExponential(2);
  if (value !== 0 && Math.abs(value) < 10 ** -DIGITS) return value.toExponential(2);
  const text = Math.abs(value).toFixed(decimals);
  const [whole = '', part] = text.split('.');
  const grouped = whole.replace(/\B(?=(\d{3})+$)/g, ',');
  const sign = value < 0 && Number(text) !== 0 ? '-' : '';
  return sign + grouped + (part === undefined ? '' : `.${part}`);
}
