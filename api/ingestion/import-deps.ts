import type { ImportCommands } from '../../commands/ingestion/imports.js';
import type { FileFormat } from '../../domain/ingestion/imports/formats.js';
import { importNotFound } from '../../domain/ingestion/imports/decider.js';
import type { Rejected } from '../../domain/rejected.js';
import type { ImportDoc } from '../../projections/ingestion/import-documents.js';
import type { ImportQueries } from '../../projections/ingestion/import-queries.js';
import { nullable, object } from '../../json-schema.js';
import { mappingIn, type MappingBody } from './import-mapping.js';
import { format, importId, mappingBody } from './import-schemas.js';
import { importView } from './import-views.js';

export type ImportDeps = {
  readonly imports: ImportCommands;
  readonly importQueries: ImportQueries;
  readonly allowance: {
    /** Why a workspace may write no more; null: it may. */
    readonly refusal: (workspace: string) => Promise<Rejected | null>;
  };
  readonly clock: () => number;
  readonly visible: (position: number | null) => Promise<void>;
};

export const tag = 'Ingestion';
export const reads = { kind: 'workspace', scope: 'data.read' } as const;
export const writes = { kind: 'workspace', scope: 'data.write' } as const;
export const one = '/v1/ingestion/files/{import_id}';
export const params = object({ import_id: importId });
export const looking = object({}, { format, mapping: nullable(mappingBody) });

/** How a file is to be looked at, as a caller says it. @throws Rejected 422 */
export const lookingIn = (body: { format?: FileFormat; mapping?: MappingBody | null }) => ({
  ...(body.format && { format: body.format }),
  ...(body.mapping && { mapping: mappingIn(body.mapping) }),
});

export const queued = (id: string, status: ImportDoc['status']) => ({
  status: 'queued',
  data: { import_id: id, status, poll_url: `/v1/ingestion/files/${id}` },
});

/** An import as it is shown. @throws Rejected 404 */
export async function shown(
  { imports, importQueries }: Pick<ImportDeps, 'imports' | 'importQueries'>,
  workspace: string,
  id: string,
) {
  const doc = await importQueries.one(workspace, id);
  if (!doc) throw importNotFound();
  return importView(doc, await imports.preview(id));
}
