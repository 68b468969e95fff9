import type { Millicredits } from './credits.js';

/** A decimal number, exactly: `digits` / 10^`places`. */
type Decimal = { readonly digits: bigint; readonly places: number };

const DECIMAL = /^([+-]?)(\d+)(?:\.(\d+))?(?:e([+-]?\d{1,3}))?$/i;

/** @throws RangeError for text that is no decimal number */
function decimalIn(text: string): Decimal {
  const [, sign, whole, part = '', power = '0'] = DECIMAL.exec(text) ?? [];
  if (whole === undefined) throw new RangeError(`'${text}' is no decimal number`);
  const digits = BigInt(`${sign === '-' ? '-' : ''}${whole}${part}`);
  const places = part.length - Number(power);
  return places < 0 ? { digits: digits * 10n ** BigInt(-places), places: 0 } : { digits, places };
}

/** To the nearest whole number; what lies between two goes away from zero. */
function rounded({ digits, places }: Decimal): bigint {
  const unit = 10n ** BigInt(places);
  const size = digits < 0n ? -digits : digits;
  const whole = (size * 2n + unit) / (unit * 2n);
  return digits < 0n ? -whole : whole;
}

/** @throws RangeError beyond what a number counts exactly */
function safe(amount: bigint): Millicredits {
  const number = Number(amount);
  if (!Number.isSafeInteger(number)) throw new RangeError(`${amount} thousandths of a credit are too many`);
  return number;
}

/**
 * What a quantity costs at a rate (credits of one unit, as decimal text), in thousandths: the exact product,
 * rounded once, half away from zero. @throws RangeError for what is no finite number, or too large
 */
export function amountOf(quantity: number, rate: string): Millicredits {
  const [many, each] = [decimalIn(String(quantity)), decimalIn(rate)];
  const places = many.places + each.places;
  return safe(rounded({ digits: many.digits * each.digits * 1_000n, places }));
}

/** Credits as decimal text with three places: `12.500`. */
export function creditsText(amount: Millicredits): string {
  const size = Math.abs(amount);
  const part = String(size % 1_000).padStart(3, '0');
  return `${amount < 0 ? '-' : ''}${Math.trunc(size / 1_000)}.${part}`;
}

/** Credits as a number, for where exactness is not needed. */
export const creditsNumber = (amount: Millicredits): number => amount / 1_000;

/** Thousandths in credits given as decimal text; null: it is none, or has more than three places. */
export function creditsIn(text: string): Millicredits | null {
  if (!/^[+-]?\d{1,12}(\.\d{1,3})?$/.test(text)) return null;
  return amountOf(1, text) + 0;
}

/** Thousandths in so many credits (0 or more), to the last digit of the number; rounded down. */
export const paidBy = (credits: number): Millicredits => {
  const { digits, places } = decimalIn(String(credits));
  return safe((digits * 1_000n) / 10n ** BigInt(places));
};

/** Whether an amount is above so many credits, to the last digit of the number. */
export const isAbove = (amount: Millicredits, credits: number): boolean => {
  const { digits, places } = decimalIn(String(credits));
  return BigInt(amount) * 10n ** BigInt(places) > digits * 1_000n;
};
