import { archive } from '../adapters/workbooks.js';

// A spreadsheet as bytes, of any number of sheets, as office programs save it.

type Cell = string | number | boolean | Date | null;
type Rows = readonly (readonly Cell[])[];

const MAIN = 'xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"';
const OFFICE = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships';
const PACKAGE = 'http://schemas.openxmlformats.org/package/2006';

const safe = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;');
const relations = (entries: readonly (readonly [id: string, type: string, target: string])[]): string =>
  `<Relationships xmlns="${PACKAGE}/relationships">${entries
    .map(([id, type, target]) => `<Relationship Id="${id}" Type="${OFFICE}/${type}" Target="${target}"/>`)
    .join('')}</Relationships>`;
const CONTENT = [
  ['rels', 'vnd.openxmlformats-package.relationships+xml'],
  ['xml', 'xml'],
].map(([extension, type]) => `<Default Extension="${extension}" ContentType="application/${type}"/>`);
const STYLES = ['<xf numFmtId="0"/>', '<xf numFmtId="22" applyNumberFormat="1"/>'];

/** A workbook of sheets by name; text is shared, and dates are numbers with a style. */
export function xlsx(sheets: Readonly<Record<string, Rows>>): Buffer {
  const shared: string[] = [];
  const cell = (value: Cell, ref: string): string => {
    if (value === null) return '';
    if (typeof value === 'string') return `<c r="${ref}" t="s"><v>${shared.push(value) - 1}</v></c>`;
    if (typeof value === 'boolean') return `<c r="${ref}" t="b"><v>${Number(value)}</v></c>`;
    if (typeof value === 'number') return `<c r="${ref}"><v>${value}</v></c>`;
    return `<c r="${ref}" s="1"><v>${value.getTime() / 86_400_000 + 25_569}</v></c>`;
  };
  const row = (cells: readonly Cell[], i: number): string =>
    `<row r="${i + 1}">${cells
      .map((value, j) => cell(value, `${String.fromCharCode(65 + j)}${i + 1}`))
      .join('')}</row>`;
  const names = Object.keys(sheets);
  const parts: Record<string, string> = {
    '[Content_Types].xml': `<Types xmlns="${PACKAGE}/content-types">${CONTENT.join('')}</Types>`,
    '_rels/.rels': relations([['rId1', 'officeDocument', 'xl/workbook.xml']]),
    'xl/workbook.xml': `<workbook ${MAIN} xmlns:r="${OFFICE}"><sheets>${names
      .map((name, i) => `<sheet name="${safe(name)}" sheetId="${i + 1}" r:id="rId${i + 1}"/>`)
      .join('')}</sheets></workbook>`,
    'xl/_rels/workbook.xml.rels': relations([
      ...names.map((_, i) => [`rId${i + 1}`, 'worksheet', `worksheets/sheet${i + 1}.xml`] as const),
      ['rId90', 'styles', 'styles.xml'],
      ['rId91', 'sharedStrings', 'sharedStrings.xml'],
    ]),
    'xl/styles.xml': `<styleSheet ${MAIN}><cellXfs count="2">${STYLES.join('')}</cellXfs></styleSheet>`,
  };
  for (const [i, rows] of Object.values(sheets).entries())
    parts[`xl/worksheets/sheet${i + 1}.xml`] =
      `<worksheet ${MAIN}><sheetData>${rows.map(row).join('')}</sheetData></worksheet>`;
  const texts = shared.map(text => `<si><t xml:space="preserve">${safe(text)}</t></si>`);
  parts['xl/sharedStrings.xml'] = `<sst ${MAIN}>${texts.join('')}</sst>`;
  const head = '<?xml version="1.0" encoding="UTF-8"?>\n';
  return archive(Object.entries(parts).map(([name, content]) => ({ name, content: head + content })));
}
