/** So many of so many, and between which shares the true one lies with 95%. */
export type Rate = {
  readonly hits: number;
  readonly of: number;
  /** NaN of none. */
  readonly share: number;
  readonly low: number;
  readonly high: number;
};

const Z = 1.959963984540054;

/** Wilson's interval of a share (1927), level .95; from 0 to 1 where there is nothing to count. */
export function rateOf(hits: number, of: number): Rate {
  if (of === 0) return { hits, of, share: NaN, low: 0, high: 1 };
  const share = hits / of;
  const squared = (Z * Z) / of;
  const middle = share + squared / 2;
  const half = Z * Math.sqrt((share * (1 - share)) / of + squared / (4 * of));
  return { hits, of, share, low: (middle - half) / (1 + squared), high: (middle + half) / (1 + squared) };
}

export const interval = <T>(list: readonly T[], hit: (each: T) => boolean): Rate =>
  rateOf(list.filter(hit).length, list.length);

const percent = (share: number): string => (100 * share).toFixed(1);

/** As `92.3% (84.8 to 96.3), 72 of 78`. */
export const said = ({ hits, of, share, low, high }: Rate): string =>
  of === 0 ? 'none' : `${percent(share)}% (${percent(low)} to ${percent(high)}), ${hits} of ${of}`;
