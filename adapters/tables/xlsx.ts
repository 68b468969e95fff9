import { DAY } from '../../domain/time.js';
import { unreadable } from './limits.js';
import type { RawRow, RawTable } from './raw-table.js';
import { openWorkbook } from './workbook.js';
import { dateStyles, firstSheet, sharedTexts } from './workbook-parts.js';
import { readXml, type Attributes } from './xml.js';

/** Columns of a sheet, as the format has them. */
const SHEET_COLUMNS = 16_384;

/** The first sheet of a workbook; empty rows are passed over. */
export async function openXlsx(path: string): Promise<RawTable> {
  return { names: null, separator: '', rows: rowsOf(path) };
}

async function* rowsOf(path: string): AsyncGenerator<readonly RawRow[]> {
  const workbook = await openWorkbook(path);
  try {
    const { path: sheet, from1904 } = await firstSheet(workbook);
    const parts = await workbook.read(sheet);
    if (!parts) throw unreadable('The workbook lacks its first sheet');
    const reader = new SheetReader({
      texts: await sharedTexts(workbook),
      dates: await dateStyles(workbook),
      from1904,
    });
    for await (const _ of readXml(parts, reader)) {
      const rows = reader.take();
      if (rows.length > 0) yield rows;
    }
  } finally {
    workbook.close();
  }
}

type Known = {
  readonly texts: readonly string[];
  readonly dates: readonly boolean[];
  readonly from1904: boolean;
};

class SheetReader {
  #rows: string[][] = [];
  #row: string[] = [];
  #column = 0;
  #type = 'n';
  #isDate = false;
  #text = '';
  #inText = false;
  #phonetic = 0;

  constructor(readonly known: Known) {}

  take(): readonly string[][] {
    const rows = this.#rows;
    this.#rows = [];
    return rows;
  }

  readonly open = (name: string, attributes: Attributes): void => {
    if (name === 'row') {
      this.#row = [];
      this.#column = 0;
    } else if (name === 'c') this.#cell(attributes);
    else if (name === 'rPh') this.#phonetic++;
    this.#inText = (name === 'v' || name === 't') && this.#phonetic === 0;
  };

  readonly text = (text: string): void => {
    if (this.#inText) this.#text += text;
  };

  readonly close = (name: string): void => {
    this.#inText = false;
    if (name === 'rPh') this.#phonetic--;
    else if (name === 'c') this.#end();
    else if (name === 'row' && this.#row.some(cell => cell !== '')) this.#rows.push(this.#row);
  };

  #cell({ r, t = 'n', s }: Attributes): void {
    if (r !== undefined) this.#column = columnIn(r);
    if (this.#column >= SHEET_COLUMNS) throw unreadable('A cell of the sheet lies beyond its last column');
    this.#type = t;
    this.#isDate = t === 'n' && s !== undefined && (this.known.dates[Number(s)] ?? false);
    this.#text = '';
  }

  #end(): void {
    while (this.#row.length < this.#column) this.#row.push('');
    this.#row[this.#column] = this.#value().trim();
    this.#column++;
  }

  #value(): string {
    const text = this.#text;
    if (text === '') return '';
    if (this.#type === 's') return this.known.texts[Number(text)] ?? '';
    if (this.#type === 'b') return text === '1' ? 'true' : 'false';
    if (this.#type === 'e') return '#N/A';
    return this.#isDate ? dateText(Number(text), this.known.from1904) : text;
  }
}

/** `BC12` -> 54. */
function columnIn(reference: string): number {
  let column = 0;
  for (const letter of /^[A-Z]{1,3}/.exec(reference)?.[0] ?? 'A')
    column = 26 * column + letter.charCodeAt(0) - 64;
  return column - 1;
}

/** Days from the end of 1899, where 29 February 1900 counts although it never was; or from 1904. */
const FROM_1900 = Date.UTC(1899, 11, 30);
const FROM_1904 = Date.UTC(1904, 0, 1);
const AFTER_LEAP = 60;

/** What clocks showed, without a zone; to the ms. */
function dateText(days: number, from1904: boolean): string {
  const first = from1904 ? FROM_1904 : FROM_1900 + (days < AFTER_LEAP ? DAY : 0);
  const date = new Date(first + Math.round(days * DAY));
  if (Number.isNaN(date.getTime())) return '';
  const text = date.toISOString();
  return text.endsWith('T00:00:00.000Z') ? text.slice(0, -'T00:00:00.000Z'.length) : text.slice(0, -1);
}
