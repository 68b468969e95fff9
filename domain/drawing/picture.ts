import type { Numbers } from '../maths/series/series.js';

/** Times (epoch ms, ascending) or numbers of rows, with a value for each; NaN where it is missing. */
export type Line = { readonly times: Numbers; readonly values: Numbers };
/** Between two quantiles: `label` says how much of what comes should lie inside. */
export type Band = { readonly label: string; readonly low: Numbers; readonly high: Numbers };

/** What a picture of a forecast shows: a series as it was, and what is ahead of it. */
export type ForecastPicture = {
  readonly title: string;
  /** A line of small print; empty: none. */
  readonly note: string;
  /** What `times` of the lines are. */
  readonly axis: 'time' | 'count';
  /** May go on beside the forecast, where some of that has come; not beyond it. */
  readonly history: Line;
  /** The median of each step ahead. */
  readonly median: Line;
  /** The widest first; each as long as the median. */
  readonly bands: readonly Band[];
};

type Quantile = { readonly level: number; readonly values: Numbers };
const SAME = 1e-9;

/**
 * The widest and the narrowest band that quantiles make: those at levels which lie as far below the middle
 * as above it. None, or only one, where there are no more.
 */
export function bandsOf(quantiles: readonly Quantile[]): readonly Band[] {
  const all = quantiles
    .filter(({ level }) => level < 0.5)
    .sort((a, b) => a.level - b.level)
    .flatMap(({ level, values: low }): Band[] => {
      const other = quantiles.find(above => Math.abs(above.level - (1 - level)) < SAME);
      return other ? [{ label: `${percent(1 - 2 * level)} band`, low, high: other.values }] : [];
    });
  return all.length > 2 ? [all[0]!, all.at(-1)!] : all;
}

const percent = (share: number): string => `${Number((100 * share).toFixed(2))}%`;

/** From the least to the greatest of all that is drawn; of one value alone, some room around it. */
export function heightOf({ history, median, bands }: ForecastPicture): readonly [low: number, high: number] {
  let low = Infinity;
  let high = -Infinity;
  for (const values of [history.values, median.values, ...bands.flatMap(band => [band.low, band.high])])
    for (const value of values) {
      if (value < low) low = value;
      if (value > high) high = value;
    }
  if (low > high) return [0, 1];
  const room = low === high ? Math.abs(low) / 10 || 1 : 0;
  return [low - room, high + room];
}

/** The newest history that leaves the forecast room to be seen: six times as many steps, 60 at least. */
export function recent(history: Line, horizon: number): Line {
  const shown = Math.max(LEAST_SHOWN, SHOWN * horizon);
  return { times: history.times.slice(-shown), values: history.values.slice(-shown) };
}
const SHOWN = 6;
const LEAST_SHOWN = 60;
