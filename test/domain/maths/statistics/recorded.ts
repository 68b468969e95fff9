import { readFileSync } from 'node:fs';
import * as assert from 'uvu/assert';

type Recorded = {
  readonly versions: Readonly<Record<string, string>>;
  readonly series: Readonly<Record<string, readonly number[]>>;
  readonly granger: readonly {
    readonly effect: string;
    readonly cause: string;
    readonly maxlag: number;
    readonly f: readonly number[];
    readonly p: readonly number[];
  }[];
  readonly adfuller: readonly {
    readonly series: string;
    readonly statistic: number;
    readonly p: number;
    readonly lags: number;
    readonly rows: number;
  }[];
  readonly correlation: readonly {
    readonly a: string;
    readonly b: string;
    readonly n: number;
    readonly pearson: [r: number, p: number];
    readonly spearman: [r: number, p: number];
  }[];
  readonly fdr_bh: readonly { readonly p: readonly number[]; readonly q: readonly number[] }[];
  readonly f_upper_tail: readonly [f: number, d1: number, d2: number, p: number][];
  readonly t_two_sided: readonly [t: number, degrees: number, p: number][];
  readonly normal_lower_tail: readonly [z: number, p: number][];
};

/** What statsmodels, scipy and mpmath said; see test/data/statistics.py. */
export const recorded = JSON.parse(
  readFileSync(new URL('../../../../../test/data/statistics.json', import.meta.url), 'utf8'),
) as Recorded;

/** The last `count` points of a recorded series, or all. */
export const seriesOf = (name: string, count = Infinity): Float64Array =>
  Float64Array.from(recorded.series[name]!.slice(-count));

/** Equal to 8 digits, by default. */
export function near(actual: number | null | undefined, expected: number, what = '', tolerance = 1e-8): void {
  const off = Math.abs((actual ?? NaN) - expected);
  assert.ok(
    off <= tolerance * Math.abs(expected),
    `${what}: ${actual} is not ${expected} (off by ${off / Math.abs(expected)})`,
  );
}
