import { decimalsOf, numberText } from '../../domain/drawing/ticks.js';
import { lengthText, stepText } from '../../domain/drawing/step-text.js';
import { textPicture } from '../../domain/drawing/text-picture.js';
import type { TableRead } from '../../domain/tables/guess.js';
import type { TableSeries } from '../../domain/tables/series.js';
import { visible } from '../output.js';
import type { Forecasted, Forecasts } from './forecasting.js';
import { DRAWING, pictureOf } from './pictures.js';

/** What a forecast of a file shows: how the file was understood, and what is ahead. */
export type Shown = {
  readonly file: string;
  readonly rows: number;
  readonly separator: string;
  readonly read: TableRead;
  readonly found: readonly TableSeries[];
  readonly forecasts: Forecasts;
};

/** A change of a series is told to about a three-hundredth of its spread. */
const FINENESS = 300;

export const textOf = (shown: Shown): string =>
  [
    ...understood(shown),
    ...shown.forecasts.all.flatMap(one => ['', ...seriesText(one, shown)]),
    ...shown.forecasts.short.map(id => `\n${visible(id)}: too few values to forecast from`),
    '',
  ].join('\n');

/** How the file was read: what was guessed can be said otherwise. */
function understood({ file, rows, read, found, forecasts }: Shown): string[] {
  const { time, entity, values, ignored } = read;
  const repeated = found.reduce((sum, one) => sum + one.repeated, 0);
  const columns = values.map(({ column }) => column).join(', ');
  const form = time && (time.ambiguous === null ? time.format : `${time.format}, not ${time.ambiguous}`);
  return [
    `${file}: ${rows} rows`,
    time ? `  time    ${time.column} (${form})` : '  time    none: rows follow each other',
    `  value   ${columns}${entity ? `, a series for each ${entity.column}` : ''}`,
    ...ignored.map(({ column, why }) => `  without ${column}: ${why}`),
    ...(repeated > 0 ? [`  times that came again: ${repeated}; the last of each counts`] : []),
    `  model   presage ${forecasts.model} (${forecasts.version})`,
  ].map(visible);
}

function seriesText(one: Forecasted, shown: Shown): string[] {
  const { series, forecast } = one;
  const { times, quantiles, period, lookbackUsed, filledPoints, calibration, warnings } = forecast;
  const { step } = series;
  const timed = shown.read.time !== null;
  const label = (time: number): string => (timed ? stepText(time, step) : String(time));
  const decimals = decimalsOf(spreadOf(series.values) / FINENESS);
  const head = [
    timed ? 'time' : 'row',
    ...quantiles.map(({ level }) => `${Number((100 * level).toFixed(4))}%`),
  ];
  const rows = Array.from(times, (time, i) => [
    label(time),
    ...quantiles.map(({ values }) => numberText(values[i]!, decimals)),
  ]);
  const season = period > 1 ? `a season of ${period} steps` : 'no season';
  const gaps = filledPoints > 0 ? `, ${filledPoints} of them missing and filled` : '';
  return [
    `${visible(series.id)}: the next ${times.length} ${timed ? `steps of ${lengthText(step)}` : 'rows'}`,
    `  from ${lookbackUsed} values${gaps}; ${season}; ${coverText(calibration)}`,
    ...warnings.map(({ message }) => `  note: ${message}`),
    '',
    ...aligned([head, ...rows]),
    '',
    ...textPicture(pictureOf(one, { model: shown.forecasts.model, timed }), DRAWING),
  ];
}

const coverText = ({ coverageRecent }: Forecasted['forecast']['calibration']): string =>
  coverageRecent === null
    ? 'too short to try the bands on its past'
    : `of late ${Math.round(100 * coverageRecent)}% came inside the 80% band`;

function spreadOf(values: Float64Array): number {
  const known = values.filter(value => !Number.isNaN(value));
  const low = known.reduce((least, value) => Math.min(least, value), Infinity);
  const high = known.reduce((most, value) => Math.max(most, value), -Infinity);
  return high - low || Math.abs(high);
}

/** Rows whose cells stand below each other, numbers at the right. */
function aligned(rows: readonly (readonly string[])[]): string[] {
  const widths = rows[0]!.map((_, i) => Math.max(...rows.map(row => row[i]!.length)));
  return rows.map(row =>
    row.map((cell, i) => (i === 0 ? cell.padEnd(widths[i]!) : cell.padStart(widths[i]!))).join('  '),
  );
}

/** The same for programs: one JSON document. Times are ISO 8601, or numbers of rows. */
export function jsonOf({ file, rows, separator, read, forecasts }: Shown): string {
  const { time, entity, values, ignored } = read;
  const at = (ms: number): string | number => (time ? new Date(ms).toISOString() : ms);
  const { model, version, all, short } = forecasts;
  const body = {
    ...{ file, rows, separator },
    time: time && { column: time.column, format: time.format, ambiguous_with: time.ambiguous },
    entity: entity?.column ?? null,
    values: values.map(({ column }) => column),
    ignored,
    model: { family: 'presage', slug: model, version },
    forecasts: all.map(({ series, forecast }) => ({
      id: series.id,
      step: time ? lengthText(series.step) : '1 row',
      period: forecast.period,
      lookback_used: forecast.lookbackUsed,
      filled_points: forecast.filledPoints,
      calibration: {
        method: forecast.calibration.method,
        level: forecast.calibration.level,
        coverage_recent: forecast.calibration.coverageRecent,
        n: forecast.calibration.n,
        widened_by: forecast.calibration.widenedBy,
      },
      points: Array.from(forecast.times, (ms, i) => ({
        ts: at(ms),
        mean: forecast.mean[i]!,
        quantiles: Object.fromEntries(
          forecast.quantiles.map(({ level, values: column }) => [String(level), column[i]!]),
        ),
      })),
      warnings: forecast.warnings,
    })),
    too_short: short,
  };
  return `${JSON.stringify(body, null, 2)}\n`;
}
