import { writeFile } from 'node:fs/promises';
import { bandsOf, recent, type ForecastPicture } from '../../domain/drawing/picture.js';
import { lengthText } from '../../domain/drawing/step-text.js';
import { svgOf } from '../../domain/drawing/svg.js';
import { timeOfStep } from '../../domain/inference/steps.js';
import { codes, Failure } from '../exit.js';
import type { Forecasted } from './forecasting.js';

/** Of a drawing as text. */
export const DRAWING = { rows: 12, columns: 72 };
/** So many series are drawn at most, one below the other. */
const MOST = 24;

type Kind = 'svg' | 'png';

/**
 * The file that a picture goes into; null: none is wanted. It must be called as a picture is: no mistake
 * writes over a file of values.
 */
export function checkedPicture(given: string | boolean, kind: Kind, name: string): string | null {
  if (given === false) return null;
  const file = given === true ? `${name}.${kind}` : given;
  if (file.toLowerCase().endsWith(`.${kind}`)) return file;
  throw new Failure(`--${kind} writes a file that ends in .${kind}, not '${file}'`, codes.usage);
}

/** By which model, and whether the series have times. */
export type About = { readonly model: string; readonly timed: boolean };

/** What there is to see of one series, in text too. */
export function pictureOf({ series, forecast }: Forecasted, { model, timed }: About): ForecastPicture {
  const { id, start, step, values } = series;
  const length = timed ? `steps of ${lengthText(step)}` : 'rows';
  const times = Float64Array.from(values, (_, i) => timeOfStep({ start, step }, i));
  return {
    title: id,
    note: `${forecast.times.length} ${length} ahead, by presage ${model}`,
    axis: timed ? 'time' : 'count',
    history: recent({ times, values }, forecast.times.length),
    median: { times: forecast.times, values: forecast.mean },
    bands: bandsOf(forecast.quantiles),
  };
}

/** Writes the pictures that are wanted; answers their names. */
export async function writePictures(
  files: Readonly<Record<Kind, string | null>>,
  pictures: readonly ForecastPicture[],
): Promise<string[]> {
  const { svg, png } = files;
  if (svg === null && png === null) return [];
  const drawing = svgOf(pictures.slice(0, MOST));
  if (svg !== null) await writeFile(svg, drawing);
  if (png !== null) {
    const { pngOf } = await import('../../adapters/png.js');
    await writeFile(png, await pngOf(drawing));
  }
  return [svg, png].filter(file => file !== null);
}
