import type { FileFormat } from '../../domain/ingestion/imports/formats.js';
import type { Mapping, MappingAsked } from '../../domain/ingestion/imports/mapping.js';
import type { Preview } from '../../domain/ingestion/imports/preview.js';
import type { RowsRead } from '../../domain/ingestion/imports/rows.js';

export type TableFile = { readonly path: string; readonly format: FileFormat };
/** Some rows of a file in their order; `upTo`: the number of the last one. */
export type RowsBatch = RowsRead & { readonly upTo: number };

/** What reads a file ended without saying why: the file's fault, perhaps, or the machine's. */
export class ReadingFailed extends Error {}

/** Reads files of rows and columns, whatever they are made of, apart from this process. */
export type TableFiles = {
  /** Reads all of a file. @throws Rejected 422 for what cannot be read, 503 when too much is being read */
  preview(file: TableFile, asked: MappingAsked, signal: AbortSignal): Promise<Preview>;
  /**
   * What the rows after the first `from` come to, no faster than it is asked for.
   * @throws Rejected 422 for what cannot be read
   */
  rows(file: TableFile, mapping: Mapping, from: number, signal: AbortSignal): AsyncIterable<RowsBatch>;
};
