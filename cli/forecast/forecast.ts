import { readFileSync } from 'node:fs';
import { basename, extname } from 'node:path';
import { readTable, type ColumnsAsked } from '../../domain/tables/guess.js';
import { seriesIn } from '../../domain/tables/series.js';
import { codes, Failure } from '../exit.js';
import { print } from '../output.js';
import { forecastAll } from './forecasting.js';
import { jsonOf, textOf } from './shown.js';
import { checkedPicture, writePictures } from './pictures.js';
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
  const name = file === '-' ? 'stdin' : basename(file, extname(file));
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
  for (const written of await writePictures(pictures, forecasts.all, { model, timed }))
    process.stderr.write(`written: ${written}\n`);
}

function bytesOf(file: string): Buffer {
  try {
    return readFileSync(file === '-' ? 0 : file);
  } catch (error) {
    const fault = faults[(error as NodeJS.ErrnoException).code ?? ''];
    throw fault === undefined ? error : new Failure(`${file} ${fault}`, codes.usage);
  }
}

const faults: Readonly<Record<string, string>> = {
  ENOENT: 'is not there',
  EISDIR: 'is a folder',
  EACCES: 'may not be read by this user',
};

function textIn(file: string): string {
  const bytes = bytesOf(file);
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    throw new Failure(`${file} is not text in UTF-8`, codes.usage);
  }
}
