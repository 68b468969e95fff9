import { promisify } from 'node:util';
import { deflateRaw, inflateRaw } from 'node:zlib';
import type { FittedNormalization } from '../../domain/segments/normalisation.js';
import type { Block, BuiltTable, Checkpoint } from '../../domain/segments/ports.js';
import type { Contents } from '../ports/contents.js';

/** Rows that lie in one file, under its SHA-256. */
export type KeptBlock = {
  readonly sha256: string;
  readonly rows: number;
  readonly entity: string | null;
  readonly isAhead: boolean;
};
/**
 * What a table consists of, as JSON in a file of its own. `normalization`: the file of what was fitted;
 * `checkpoints`: that of what a later build may go on from.
 */
export type Manifest = {
  readonly table: BuiltTable;
  readonly normalization: string;
  readonly blocks: readonly KeptBlock[];
  readonly checkpoints?: string;
};
/** A checkpoint whose state, deflated, lies in a file of its own; `bytes`: how many it has by itself. */
export type FiledCheckpoint = Omit<Checkpoint, 'state'> & { readonly state: string; readonly bytes: number };
/** As JSON, deflated. `ground`: a digest of the recipe and of the program that made them. */
export type CheckpointsFile = {
  readonly ground: string;
  readonly checkpoints: readonly FiledCheckpoint[];
};

const deflate = promisify(deflateRaw);
export const unpack = promisify(inflateRaw);
/** Quick, and nearly as small as it gets: these are mostly digits that nobody can guess. */
const LEVEL = { level: 1 };

export const pack = (bytes: Uint8Array): Promise<Buffer> => deflate(bytes, LEVEL);

/** A block as a file: its times, then its columns, each as 64-bit floats, deflated. */
export async function packed({ times, columns }: Pick<Block, 'times' | 'columns'>): Promise<Buffer> {
  const rows = times.length;
  const all = new Float64Array(rows * (columns.length + 1));
  all.set(times);
  columns.forEach((column, i) => all.set(column.subarray(0, rows), rows * (i + 1)));
  return pack(new Uint8Array(all.buffer));
}

export async function unpacked(file: Uint8Array, rows: number): Promise<Pick<Block, 'times' | 'columns'>> {
  const bytes = await unpack(file);
  const all = new Float64Array(bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.byteLength));
  const column = (i: number): Float64Array => all.subarray(rows * i, rows * (i + 1));
  return {
    times: column(0),
    columns: Array.from({ length: all.length / rows - 1 }, (_, i) => column(i + 1)),
  };
}

export const jsonBytes = (value: Manifest | FittedNormalization | CheckpointsFile): Uint8Array =>
  new TextEncoder().encode(JSON.stringify(value));

/** Reads tables back: `shelf` is the segment's, `sha256` of the manifest. @throws ContentLost */
export const tables = (contents: Pick<Contents, 'get'>) => ({
  manifest: async (shelf: string, sha256: string): Promise<Manifest> =>
    JSON.parse((await contents.get(shelf, sha256)).toString()) as Manifest,

  async checkpoints(shelf: string, sha256: string): Promise<CheckpointsFile> {
    const file = await unpack(await contents.get(shelf, sha256));
    return JSON.parse(file.toString()) as CheckpointsFile;
  },

  async normalization(shelf: string, manifest: string): Promise<FittedNormalization> {
    const { normalization } = await this.manifest(shelf, manifest);
    return JSON.parse((await contents.get(shelf, normalization)).toString()) as FittedNormalization;
  },

  /** Rows from one (counted from 0) on, at most so many, block by block. */
  async *rows(shelf: string, { blocks }: Manifest, from: number, count: number): AsyncGenerator<Block> {
    let row = 0;
    for (const { sha256, rows, entity, isAhead } of blocks) {
      const first = Math.max(0, from - row);
      const last = Math.min(rows, from + count - row);
      if (last <= 0) return;
      if (first < last) {
        const { times, columns } = await unpacked(await contents.get(shelf, sha256), rows);
        const part = (column: Float64Array): Float64Array => column.subarray(first, last);
        yield { entity, isAhead, row: row + first, times: part(times), columns: columns.map(part) };
      }
      row += rows;
    }
  },
});
export type Tables = ReturnType<typeof tables>;
