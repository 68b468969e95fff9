import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import * as zlib from 'node:zlib';
import { snappyUncompress, type Compressors } from 'hyparquet';
import { unreadable } from './limits.js';

/** What one page of a column unpacks to at most, bytes. */
const MOST_OF_PAGE = 200_000_000;

/** Newer versions of Node alone have it. */
type Unpack = (input: Uint8Array, options: { readonly maxOutputLength: number }) => Uint8Array;
const { zstdDecompressSync } = zlib as { readonly zstdDecompressSync?: Unpack };

const bounded = (unpack: Unpack) => (input: Uint8Array, length: number) =>
  unpack(input, { maxOutputLength: Math.max(1, within(length)) });

/** How pages are unpacked, each to the size that it names and to no more. */
export const compressors: Compressors = {
  SNAPPY(input, length) {
    const output = new Uint8Array(within(length));
    snappyUncompress(input, output);
    return output;
  },
  GZIP: bounded(gunzipSync),
  BROTLI: bounded(brotliDecompressSync),
  ...(zstdDecompressSync && { ZSTD: bounded(zstdDecompressSync) }),
};

function within(length: number): number {
  if (length > MOST_OF_PAGE) throw unreadable('A page of the file unpacks to too many bytes', 'file_bomb');
  return length;
}
