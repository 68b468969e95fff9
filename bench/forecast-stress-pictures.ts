import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { ForecastPicture } from '../domain/drawing/picture.js';
import { svgOf } from '../domain/drawing/svg.js';
import { medians } from '../domain/maths/forecasting/quantiles.js';
import { grouped } from './forecast-sets.js';
import { quantileAt, type Tried } from './forecast-stress-scores.js';

const PANELS = 4;
/** Of these groups the first series stand together on one picture. */
const HARD = ['yearly growth', 'level shift', 'saturation', 'long periods', 'sparse counts', 'moved once'];
const LEAST_PAST = 60;

/**
 * One SVG file a group, of its first four series, and `cases.svg` of the first of each hard group: history,
 * actuals, median and 80% band.
 */
export function writePictures(folder: string, method: string, tried: readonly Tried[]): void {
  mkdirSync(folder, { recursive: true });
  const groups = grouped(tried, each => each.group);
  const write = (name: string, some: readonly Tried[]): void =>
    writeFileSync(join(folder, `${name}.svg`), svgOf(some.map(each => pictureOf(method, each))));
  for (const [group, own] of groups) write(group.replaceAll(' ', '-'), own.slice(0, PANELS));
  write(
    'cases',
    HARD.flatMap(group => groups.get(group)?.slice(0, 1) ?? []),
  );
}

function pictureOf(method: string, tried: Tried): ForecastPicture {
  const { name, kind, period, horizon, context, actual, forecast } = tried;
  const origin = context.length;
  const past = context.slice(-Math.max(LEAST_PAST, 3 * horizon, 2 * period));
  const times = (length: number, from: number): Float64Array =>
    Float64Array.from({ length }, (_, step) => from + step);
  return {
    title: `${name}: ${kind}`,
    note: `${horizon} rows ahead, period ${period}, by ${method}; the history goes on with what came`,
    axis: 'count',
    history: {
      times: times(past.length + horizon, origin - past.length),
      values: Float64Array.from([...past, ...actual]),
    },
    median: { times: times(horizon, origin), values: medians(forecast) },
    bands: [{ label: '80% band', low: quantileAt(forecast, 0.1), high: quantileAt(forecast, 0.9) }],
  };
}
