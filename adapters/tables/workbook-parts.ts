import { unreadable } from './limits.js';
import type { Workbook } from './workbook.js';
import { attribute, readXml, type Heard } from './xml.js';

/** Characters of all shared texts of a workbook. */
const MOST_SHARED = 100_000_000;

async function hear(workbook: Workbook, name: string, heard: Heard): Promise<boolean> {
  const parts = await workbook.read(name);
  if (!parts) return false;
  const reading = readXml(parts, heard);
  while (!(await reading.next()).done);
  return true;
}

/** Where the first sheet lies, and whether days are counted from 1904. @throws Rejected */
export async function firstSheet(
  workbook: Workbook,
): Promise<{ readonly path: string; readonly from1904: boolean }> {
  let id: string | null = null;
  let from1904 = false;
  const isThere = await hear(workbook, 'xl/workbook.xml', {
    open(name, attributes) {
      if (name === 'workbookPr') from1904 = /^(1|true)$/.test(attribute(attributes, 'date1904') ?? '');
      if (name === 'sheet') id ??= attributes['r:id'] ?? attribute(attributes, 'id') ?? null;
    },
  });
  if (!isThere || id === null) throw unreadable('The file is no xlsx workbook, or has no sheet');
  let target = 'worksheets/sheet1.xml';
  await hear(workbook, 'xl/_rels/workbook.xml.rels', {
    open(name, attributes) {
      if (name === 'Relationship' && attributes.Id === id) target = attributes.Target ?? target;
    },
  });
  return { path: target.startsWith('/') ? target.slice(1) : `xl/${target}`, from1904 };
}

/** The texts that cells share, in their order. */
export async function sharedTexts(workbook: Workbook): Promise<string[]> {
  const texts: string[] = [];
  let text = '';
  let inText = false;
  let phonetic = 0;
  let size = 0;
  await hear(workbook, 'xl/sharedStrings.xml', {
    open(name) {
      if (name === 'si') text = '';
      if (name === 'rPh') phonetic++;
      inText = name === 't' && phonetic === 0;
    },
    text(part) {
      if (inText) text += part;
    },
    close(name) {
      inText = false;
      if (name === 'rPh') phonetic--;
      if (name !== 'si') return;
      size += text.length + 1;
      if (size > MOST_SHARED) throw unreadable('The texts of the workbook are too long', 'file_bomb');
      texts.push(text);
    },
  });
  return texts;
}

/** Of each style of cells whether it shows a date. */
export async function dateStyles(workbook: Workbook): Promise<boolean[]> {
  const codes = new Map<number, string>();
  const styles: boolean[] = [];
  let inCells = false;
  await hear(workbook, 'xl/styles.xml', {
    open(name, attributes) {
      if (name === 'numFmt') codes.set(Number(attributes.numFmtId), attributes.formatCode ?? '');
      if (name === 'cellXfs') inCells = true;
      if (name === 'xf' && inCells) styles.push(isDate(Number(attributes.numFmtId), codes));
    },
    close(name) {
      if (name === 'cellXfs') inCells = false;
    },
  });
  return styles;
}

/** Numbers of built-in formats of dates and times. */
const isBuiltIn = (id: number): boolean =>
  (id >= 14 && id <= 22) || (id >= 27 && id <= 36) || (id >= 45 && id <= 47) || (id >= 50 && id <= 58);

/** A format with day, month, year, hour or second outside of texts, colours and conditions. */
function isDate(id: number, codes: ReadonlyMap<number, string>): boolean {
  const code = codes.get(id);
  if (code === undefined) return isBuiltIn(id);
  return /[dmyhs]/i.test(code.replace(/"[^"]*"|\\.|_.|\*./g, '').replace(/\[(?![hms]+\])[^\]]*\]/gi, ''));
}
