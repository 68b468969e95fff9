import type { Kind } from './unit-rules.js';

/**
 * What a unit may be divided by after `per`, beside units of time, energy, mass, length, area, volume and
 * data: one of it.
 */
export const DIVISORS: Readonly<Record<string, string>> = {
  second: 's',
  minute: 'min',
  hour: 'h',
  day: 'd',
  week: 'week',
  month: 'month',
  year: 'year',
  s: 's',
  h: 'h',
  barrel: 'bbl',
  gallon: 'gal',
  liter: 'L',
  litre: 'L',
  tonne: 't',
  t: 't',
  l: 'L',
  m: 'm',
};

/** What `per` may stand before, beside DIVISORS. */
export const DIVIDING: ReadonlySet<string> = new Set<Kind>([
  'time',
  'energy',
  'mass',
  'length',
  'area',
  'volume',
  'data',
]);

/**
 * A currency right before a unit of one of these kinds is a price, also without `per`: `price_eur_mwh` is
 * EUR/MWh.
 */
export const PRICED: readonly Kind[] = ['energy', 'mass', 'volume', 'area'];
