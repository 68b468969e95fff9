import { readTable, type ColumnsAsked } from '../../domain/tables/guess.js';
import { seriesIn } from '../../domain/tables/series.js';
import { print } from '../output.js';
import { forecastAll } from './forecasting.js';
import { fileName, textIn } from './files.js';
import { jsonOf, textOf } from './shown.js';
import { checkedPicture, pictureOf, writePictures } from './pictures.js';
import { tableOf } from './table.js';

export type ForecastOptions = ColumnsAsked & {
  readonly horizon: number | null;
  readonly period: number | null;
  readonly quantiles: readonly number[];
  readonly model: string;
  readonly json: boolean;
  /** Where to, or true for a name like that of the file. */
  readonly svg: string | boolean;
  readonly png: string | boolean;
};

/** Forecasts the series of a file; nothing else is needed, and nothing is kept. */
export async function forecast(file: string, options: ForecastOptions): Promise<void> {
  const name = fileName(file);
  const pictures = {
    svg: checkedPicture(options.svg, 'svg', name),
    png: checkedPicture(options.png, 'png', name),
  };
  const { table, separator, style } = tableOf(textIn(file));
  const read = readTable(table, options, style);
  const found = seriesIn(read);
  const { horizon, period, model, quantiles } = options;
  const levels = [...new Set([...quantiles, 0.5])].sort((a, b) => a - b);
  const timed = read.time !== null;
  const wanted = { horizon, period, model, levels, timed };
  const forecasts = await forecastAll(found, wanted);
  const shown = { file, rows: table.rows.length, separator, read, found, forecasts };
  await print(options.json ? jsonOf(shown) : textOf(shown));
  const drawn = forecasts.all.map(one => pictureOf(one, { model, timed }));
  for (const written of await writePictures(pictures, drawn)) process.stderr.write(`written: ${written}\n`);
}
