import { setImmediate as nextRound } from 'node:timers/promises';
import { parse } from 'csv-parse';
import { Readable } from 'node:stream';
import { PollFailed } from '../../commands/ingestion/connectors.js';
import { parseExactly } from '../../domain/exact-json.js';

export type TextFormat = 'csv' | 'ndjson';

/** So much is taken apart at a time, so that others come to their turn in between. */
const AT_ONCE = 65_536;
const LONGEST_RECORD = 1_048_576;

/**
 * Rows of csv under the names in its first line, or objects of JSON, one a line; `begun` hears of each piece
 * of bytes that is taken apart. @throws PollFailed
 */
export function recordsOf(
  format: TextFormat,
  bytes: AsyncIterable<Buffer>,
  begun: (bytes: number) => void,
): AsyncIterable<unknown> {
  const pieces = inPieces(bytes, begun);
  return format === 'csv' ? ofCsv(pieces) : ofLines(pieces);
}

async function* inPieces(
  bytes: AsyncIterable<Buffer>,
  begun: (bytes: number) => void,
): AsyncIterable<Buffer> {
  for await (const part of bytes)
    for (let from = 0; from < part.length; from += AT_ONCE) {
      const piece = part.subarray(from, from + AT_ONCE);
      begun(piece.length);
      yield piece;
      await nextRound();
    }
}

async function* ofCsv(pieces: AsyncIterable<Buffer>): AsyncIterable<unknown> {
  const source = Readable.from(pieces);
  const parser = parse({ columns: true, bom: true, max_record_size: LONGEST_RECORD, trim: true });
  source.on('error', error => parser.destroy(error));
  source.pipe(parser);
  try {
    for await (const record of parser) yield record;
  } catch (error) {
    const isOurs = error instanceof Error && 'code' in error && String(error.code).startsWith('CSV_');
    throw isOurs ? invalid(error.message) : error;
  } finally {
    source.destroy();
    parser.destroy();
  }
}

async function* ofLines(pieces: AsyncIterable<Buffer>): AsyncIterable<unknown> {
  let rest: Buffer[] = [];
  let length = 0;
  let line = 0;
  for await (const piece of pieces) {
    let from = 0;
    for (let end = piece.indexOf(10); end >= 0; end = piece.indexOf(10, from)) {
      const text = Buffer.concat([...rest, piece.subarray(from, end)]).toString();
      rest = [];
      length = 0;
      from = end + 1;
      line++;
      if (text.trim() !== '') yield parsed(text, line);
    }
    rest.push(piece.subarray(from));
    length += piece.length - from;
    if (length > LONGEST_RECORD) throw invalid(`Line ${line + 1} is longer than ${LONGEST_RECORD} bytes`);
  }
  const text = Buffer.concat(rest).toString();
  if (text.trim() !== '') yield parsed(text, line + 1);
}

function parsed(text: string, line: number): unknown {
  try {
    return parseExactly(text.replace(/^\uFEFF/, ''));
  } catch {
    throw invalid(`Line ${line} is not valid JSON`);
  }
}

const invalid = (message: string): PollFailed => new PollFailed('invalid_data', message);
