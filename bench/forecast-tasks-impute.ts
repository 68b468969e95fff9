import { forecastManyOf, type ForecastMany } from '../domain/maths/forecasting/forecaster.js';
import { impute } from '../domain/maths/forecasting/imputation/impute.js';
import { coverage, mase, relativeTo, seasonalScale } from '../domain/maths/forecasting/metrics/index.js';
import type { Random } from '../test/random.js';
import { grouped } from './forecast-sets.js';
import { interpolated, seasonallyInterpolated } from './forecast-tasks-interpolate.js';
import {
  meanOf,
  percent,
  randomFor,
  realSeries,
  shuffled,
  three,
  type RealSeries,
  type TaskInput,
  type TaskResult,
} from './forecast-tasks-sets.js';

/** Gaps that are cut into a series: of these lengths, so many. */
const KINDS = {
  'single values': { shortest: 1, longest: 1, count: 8 },
  '3 to 6 in a row': { shortest: 3, longest: 6, count: 3 },
  '12 to 24 in a row': { shortest: 12, longest: 24, count: 2 },
} as const;
type Kind = keyof typeof KINDS;

/** Known values before the first gap, after the last one, and between two. */
const BEFORE = 24;
const AFTER = 8;
const BETWEEN = 4;

type Gap = { readonly from: number; readonly length: number };
/** Mean absolute errors in units of the seasonal error of the series. */
type Tried = {
  readonly series: RealSeries;
  readonly kind: Kind;
  readonly share: number;
  readonly model: number;
  readonly line: number;
  readonly season: number;
  readonly covered: number;
};

export async function imputeTask(input: TaskInput): Promise<TaskResult> {
  const forecast = forecastManyOf(input.model, new AbortController().signal);
  const tried: Tried[] = [];
  for (const series of await realSeries(input)) {
    for (const kind of Object.keys(KINDS) as Kind[]) {
      const gaps = gapsIn(series.values, kind, randomFor(input.seed, `${series.set} ${series.name} ${kind}`));
      if (gaps.length > 0) tried.push(await tryOut(series, kind, gaps, input.model.caps.horizon, forecast));
    }
  }
  const kinds = grouped(tried, ({ kind }) => kind);
  const parts = grouped(tried, ({ kind, series }) => `${kind}, ${series.freq}`);
  const groups = [...parts, ...kinds, ['all', tried] as const];
  const summaries = groups.map(([group, members]) => summaryOf(group, members));
  const last = summaries.at(-1)!;
  return {
    title:
      'impute: gaps cut into real series; mean absolute error relative to interpolations '
      + '(geometric mean over series)',
    head: [
      'gaps',
      'series',
      'of linear',
      'of seasonal',
      'worse than linear by 5%',
      'seasonal, of linear',
      '80% band covers',
      'share forecast',
    ],
    rows: summaries.map(s => [
      s.group,
      `${s.series}`,
      three(s.ofLine),
      three(s.ofSeason),
      percent(s.worse),
      three(s.seasonOfLine),
      percent(s.covered),
      percent(s.share),
    ]),
    rule:
      'error at most 0.95 of that of either interpolation in all, in none of the three kinds above 1.02; '
      + 'coverage within 72% to 88%',
    earned:
      Math.max(last.ofLine, last.ofSeason) <= 0.95
      && Math.abs(last.covered - 0.8) <= 0.08
      && [...kinds.values()]
        .map(members => summaryOf('', members))
        .every(s => Math.max(s.ofLine, s.ofSeason) <= 1.02),
    details: summaries,
  };
}

/**
 * Gaps of known values, apart from one another; fewer where the series has no room, at most a fifth of its
 * values.
 */
function gapsIn(values: Float64Array, kind: Kind, random: Random): Gap[] {
  const { shortest, longest, count } = KINDS[kind];
  const gaps: Gap[] = [];
  const places = shuffled(
    Array.from({ length: Math.max(0, values.length - BEFORE - AFTER) }, (_, i) => BEFORE + i),
    random,
  );
  for (const from of places) {
    const length = shortest + random.below(longest - shortest + 1);
    const cut = values.subarray(from, from + length);
    const apart = gaps.every(
      gap => from >= gap.from + gap.length + BETWEEN || from + length + BETWEEN <= gap.from,
    );
    const total = gaps.reduce((sum, gap) => sum + gap.length, length);
    if (
      gaps.length < count
      && apart
      && from + length <= values.length - AFTER
      && total <= values.length / 5
      && cut.every(x => !Number.isNaN(x))
    )
      gaps.push({ from, length });
  }
  return gaps;
}

async function tryOut(
  series: RealSeries,
  kind: Kind,
  gaps: readonly Gap[],
  horizon: number,
  forecast: ForecastMany,
): Promise<Tried> {
  const { values, period } = series;
  const cut = values.slice();
  const scale = seasonalScale(values, period);
  for (const { from, length } of gaps) cut.fill(NaN, from, from + length);
  const made = await impute({ values: cut, period }, horizon, forecast);
  const actual = at(values, gaps);
  const error = (filled: Float64Array): number => mase(actual, at(filled, gaps), scale);
  const covered = made.gaps.flatMap(({ from, length, quantiles }) =>
    quantiles && gaps.some(gap => gap.from === from)
      ? [coverage(values.subarray(from, from + length), quantiles)]
      : [],
  );
  return {
    series,
    kind,
    share: made.share,
    covered: meanOf(covered),
    model: error(made.values),
    line: error(interpolated(cut)),
    season: error(seasonallyInterpolated(cut, period)),
  };
}

const at = (values: Float64Array, gaps: readonly Gap[]): Float64Array =>
  Float64Array.from(gaps.flatMap(({ from, length }) => [...values.subarray(from, from + length)]));

function summaryOf(group: string, tried: readonly Tried[]) {
  const of = (name: 'model' | 'line' | 'season'): number[] => tried.map(each => each[name]);
  return {
    group,
    series: tried.length,
    ofLine: relativeTo(of('line'), of('model')),
    ofSeason: relativeTo(of('season'), of('model')),
    seasonOfLine: relativeTo(of('line'), of('season')),
    covered: meanOf(tried.map(({ covered }) => covered)),
    worse: tried.filter(({ model, line }) => model > 1.05 * line).length / tried.length,
    share: meanOf(tried.map(({ share }) => share)),
  };
}
