import { isUtf8 } from 'node:buffer';
import { createReadStream } from 'node:fs';
import { unreadable } from './limits.js';

const CHUNK = 262_144;
const UTF16LE = [0xff, 0xfe];
const UTF8 = Buffer.from([0xef, 0xbb, 0xbf]);

/**
 * A file of text as bytes of UTF-8, each part ending with a whole character, without the mark at its
 * beginning. What begins with the mark of UTF-16 (as spreadsheets write it) is turned into UTF-8.
 * @throws Rejected for what is no text
 */
export async function* textOf(path: string): AsyncGenerator<Buffer> {
  let rest = Buffer.alloc(0);
  let decoder: InstanceType<typeof TextDecoder> | null = null;
  let isFirst = true;
  for await (const chunk of createReadStream(path, { highWaterMark: CHUNK }) as AsyncIterable<Buffer>) {
    if (isFirst && UTF16LE.every((byte, i) => chunk[i] === byte)) decoder = new TextDecoder('utf-16le');
    if (decoder) yield Buffer.from(decoder.decode(chunk, { stream: true }));
    else {
      const bytes = isFirst ? withoutMark(chunk) : Buffer.concat([rest, chunk]);
      const end = bytes.length - halfCharacter(bytes);
      rest = Buffer.from(bytes.subarray(end));
      yield checked(bytes.subarray(0, end));
    }
    isFirst = false;
  }
  yield checked(decoder ? Buffer.from(decoder.decode()) : rest);
}

const withoutMark = (bytes: Buffer): Buffer =>
  bytes.subarray(0, UTF8.length).equals(UTF8) ? bytes.subarray(UTF8.length) : bytes;

/** Bytes at the end that begin a character which goes on behind them. */
function halfCharacter(bytes: Buffer): number {
  for (let back = 1; back <= 3 && back <= bytes.length; back++) {
    const byte = bytes[bytes.length - back]!;
    if (byte < 0x80) return 0;
    if (byte >= 0xc0) return lengthOf(byte) > back ? back : 0;
  }
  return 0;
}

function lengthOf(first: number): number {
  if (first >= 0xf0) return 4;
  return first >= 0xe0 ? 3 : 2;
}

function checked(bytes: Buffer): Buffer {
  if (bytes.includes(0)) throw unreadable('The file is not text');
  if (!isUtf8(bytes)) throw unreadable('The file is not text in UTF-8');
  return bytes;
}
