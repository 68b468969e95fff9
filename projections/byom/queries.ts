import type { ByomStatus } from '../../domain/byom/state.js';
import type { Reader } from '../engine/reader.js';
import type { Stored } from '../engine/read-models.js';
import type { ByomDoc, ValidationDoc } from './documents.js';

type Paging = { readonly limit: number; readonly offset: number };
export type ByomQueries = ReturnType<typeof byomQueries>;

export const byomQueries = (read: Reader) => ({
  /** Null: the workspace has none with this id. */
  async one(workspace: string, byomId: string): Promise<Stored<ByomDoc> | null> {
    const found = await read.get<ByomDoc>('byoms', byomId);
    return found?.workspace === workspace ? found : null;
  },
  /** That a workspace may use: its own, and what others made public. */
  async usable(workspace: string, byomId: string): Promise<Stored<ByomDoc> | null> {
    const found = await read.get<ByomDoc>('byoms', byomId);
    const isShared = found?.status === 'registered' && found.visibility === 'public';
    return isShared || found?.workspace === workspace ? found : null;
  },
  /** Whosever it is. */
  any: (byomId: string): Promise<Stored<ByomDoc> | null> => read.get<ByomDoc>('byoms', byomId),
  /** Of all workspaces, page by page. */
  every: () => read.pages<ByomDoc>('byoms', { where: {}, sort: { by: ['_id'] } }),
  /** Newest first. */
  async list(workspace: string, paging: Paging) {
    const where = { workspace };
    const sort = { by: ['created_at', '_id'], descending: true };
    const [items, total] = await Promise.all([
      read.find<ByomDoc>('byoms', { where, sort, ...paging }),
      read.count('byoms', where),
    ]);
    return { items, total };
  },
  /** Null: the model has none with this id. */
  async validation(byomId: string, validationId: string): Promise<Stored<ValidationDoc> | null> {
    const found = await read.get<ValidationDoc>('byom_validations', validationId);
    return found?.byom_id === byomId ? found : null;
  },
  /** How many models a workspace has, and the bytes of their files together. */
  async kept(workspace: string): Promise<{ readonly models: number; readonly bytes: number }> {
    const sort = { by: ['created_at', '_id'] };
    let models = 0;
    let bytes = 0;
    for await (const page of read.pages<Pick<ByomDoc, '_id' | 'bytes'>>('byoms', {
      ...{ where: { workspace }, sort, fields: ['bytes', 'created_at'] },
    })) {
      models += page.length;
      bytes += page.reduce((sum, doc) => sum + doc.bytes, 0);
    }
    return { models, bytes };
  },
  /** Whether another model than this one has its network in the same file. */
  async isShared(sha256: string, byomId: string): Promise<boolean> {
    const found = await read.find<ByomDoc>('byoms', { where: { network_sha256: sha256 }, limit: 2 });
    return found.some(({ _id }) => _id !== byomId);
  },
  /** Of all workspaces, some that are in a status. */
  inStatus: (status: ByomStatus, limit: number, offset: number): Promise<Stored<ByomDoc>[]> =>
    read.find<ByomDoc>('byoms', { where: { status }, sort: { by: ['_id'] }, limit, offset }),
});
