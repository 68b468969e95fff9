import type { ImportStatus } from '../../domain/ingestion/imports/state.js';
import type { Reader } from '../engine/reader.js';
import type { Stored } from '../engine/read-models.js';
import type { ImportDoc } from './import-documents.js';

type Paging = { readonly limit: number; readonly offset: number };
export type ImportQueries = ReturnType<typeof importQueries>;

export const importQueries = (read: Reader) => ({
  /** Null: the workspace has none with this id. */
  async one(workspace: string, importId: string): Promise<Stored<ImportDoc> | null> {
    const found = await read.get<ImportDoc>('imports', importId);
    return found?.workspace === workspace ? found : null;
  },
  /** Newest first. */
  async list(workspace: string, paging: Paging) {
    const where = { workspace };
    const sort = { by: ['created_at', '_id'], descending: true };
    const [items, total] = await Promise.all([
      read.find<ImportDoc>('imports', { where, sort, ...paging }),
      read.count('imports', where),
    ]);
    return { items, total };
  },
  /** Of all workspaces, some that are in a status. */
  inStatus: (status: ImportStatus, limit: number, offset: number): Promise<Stored<ImportDoc>[]> =>
    read.find<ImportDoc>('imports', { where: { status }, sort: { by: ['_id'] }, limit, offset }),
  /** Some with a file, that nothing happened to since a time (epoch ms). */
  untouchedSince: (since: number, limit: number): Promise<Stored<ImportDoc>[]> =>
    read.find<ImportDoc>('imports', {
      where: { has_file: true, updated_at: { lte: since } },
      sort: { by: ['updated_at', '_id'] },
      limit,
    }),
});
