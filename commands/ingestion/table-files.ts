import type { FileFormat } from '../../domain/ingestion/imports/formats.js';
import type { Mapping, MappingAsked } from '../../domain/ingestion/imports/mapping.js';
import type { Preview } from '../../domain/ingestion/imports/preview.js';
import type { RowsRead } from '../../domain/ingestion/imports/rows.js';

export type TableFile = { readonly path: string; readonly format: FileFormat };
/** Those after the first `from`, at most so many points and events, or one row, at a time; null: many. */
export type AskedRows = { readonly from: number; readonly most: number | null };
/** Some rows of a file in their order; `upTo`: the number of the last one. */
export type RowsBatch = RowsRead & { readonly upTo: number };

/** What reads a file ended without saying why: the file's fault, perhaps, or the machine's. */
export class ReadingFailed extends Error {}

/** Reads files of rows and columns, whatever they are made of, apart from this process. */
export type TableFiles = {
  /**
   * Reads all of a file; workspaces take turns.
   * @throws Rejected 422 for what cannot be read, 503 when too much of the workspace is being read
   */
  preview(file: TableFile, asked: MappingAsked, workspace: string, signal: AbortSignal): Promise<Preview>;
  /**
   * What rows come to, no faster than it is asked for.
   * @throws Rejected 422 for what cannot be read
   */
  rows(file: TableFile, mapping: Mapping, asked: AskedRows, signal: AbortSignal): AsyncIterable<RowsBatch>;
};
