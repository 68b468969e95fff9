import type { AskedRows, RowsBatch, TableFile } from '../../commands/ingestion/table-files.js';
import type { Mapping, MappingAsked } from '../../domain/ingestion/imports/mapping.js';
import type { Preview } from '../../domain/ingestion/imports/preview.js';
import type { Rejected } from '../../domain/rejected.js';

/** What a process that reads a file is told to do. */
export type Order =
  | { readonly preview: TableFile; readonly asked: MappingAsked }
  | ({ readonly rows: TableFile; readonly mapping: Mapping } & AskedRows);

/** What it says. */
export type Said =
  | { readonly preview: Preview }
  | { readonly batch: RowsBatch }
  | { readonly ended: true }
  | { readonly refused: readonly [Rejected['kind'], string, string] }
  | { readonly failed: string };

/** Batches under way at once. */
export const AHEAD = 2;
