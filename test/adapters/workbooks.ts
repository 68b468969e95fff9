import { crc32, deflateRawSync } from 'node:zlib';

export type Part = { readonly name: string; readonly content: string | Buffer; readonly says?: number };

/** An archive; `says`: the size that a part claims to unpack to, where that is a lie. */
export function archive(parts: readonly Part[]): Buffer {
  const bodies: Buffer[] = [];
  const directory: Buffer[] = [];
  let offset = 0;
  for (const { name, content, says } of parts) {
    const [path, body] = [Buffer.from(name), Buffer.from(content)];
    const packed = deflateRawSync(body);
    const common = Buffer.alloc(26);
    common.writeUInt16LE(20, 0);
    common.writeUInt16LE(8, 4);
    common.writeUInt32LE(crc32(body), 10);
    common.writeUInt32LE(packed.length, 14);
    common.writeUInt32LE(says ?? body.length, 18);
    common.writeUInt16LE(path.length, 22);
    bodies.push(Buffer.from('PK\x03\x04', 'latin1'), common, path, packed);
    const place = Buffer.alloc(14);
    place.writeUInt32LE(offset, 10);
    directory.push(Buffer.from('PK\x01\x02\x14\x00', 'latin1'), common, place, path);
    offset += 30 + path.length + packed.length;
  }
  const end = Buffer.alloc(22);
  end.write('PK\x05\x06', 'latin1');
  end.writeUInt16LE(parts.length, 8);
  end.writeUInt16LE(parts.length, 10);
  end.writeUInt32LE(Buffer.concat(directory).length, 12);
  end.writeUInt32LE(offset, 16);
  return Buffer.concat([...bodies, ...directory, end]);
}

const HEAD = '<?xml version="1.0" encoding="UTF-8"?>\n';
const MAIN = 'xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"';
const OFFICE = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships';

export type Sheet = {
  /** What lies within `sheetData`. */
  readonly rows: string;
  readonly shared?: readonly string[];
  /** Of the styles 1, 2, ...: codes of formats. */
  readonly formats?: readonly string[];
  readonly from1904?: boolean;
};

/** The parts of a workbook with one sheet. */
export const workbookParts = ({ rows, shared = [], formats = [], from1904 = false }: Sheet): Part[] => [
  {
    name: 'xl/workbook.xml',
    content:
      `${HEAD}<workbook ${MAIN} xmlns:r="${OFFICE}"><workbookPr date1904="${from1904 ? 1 : 0}"/>`
      + '<sheets><sheet name="A" sheetId="7" r:id="rId3"/></sheets></workbook>',
  },
  {
    name: 'xl/_rels/workbook.xml.rels',
    content: `${HEAD}<Relationships><Relationship Id="rId3" Target="worksheets/first.xml"/></Relationships>`,
  },
  {
    name: 'xl/styles.xml',
    content: `${HEAD}<styleSheet ${MAIN}><numFmts>${formats
      .map((code, i) => `<numFmt numFmtId="${200 + i}" formatCode="${escaped(code)}"/>`)
      .join('')}</numFmts><cellStyleXfs><xf numFmtId="14"/></cellStyleXfs><cellXfs><xf numFmtId="0"/>${formats
      .map((_, i) => `<xf numFmtId="${200 + i}"/>`)
      .join('')}</cellXfs></styleSheet>`,
  },
  {
    name: 'xl/sharedStrings.xml',
    content: `${HEAD}<sst ${MAIN}>${shared.map(sharedText).join('')}</sst>`,
  },
  {
    name: 'xl/worksheets/first.xml',
    content: `${HEAD}<worksheet ${MAIN}><sheetData>${rows}</sheetData></worksheet>`,
  },
];

const sharedText = (text: string): string => `<si><t xml:space="preserve">${escaped(text)}</t></si>`;

export const workbook = (sheet: Sheet): Buffer => archive(workbookParts(sheet));

export const escaped = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;').replaceAll('\r', '&#13;');

/** 0 -> A, 27 -> AB. */
export const lettersOf = (column: number): string =>
  (column >= 26 ? lettersOf(Math.floor(column / 26) - 1) : '') + String.fromCharCode(65 + (column % 26));
