import { fileFormats, formatOf } from '../../domain/ingestion/imports/formats.js';
import { object } from '../../json-schema.js';
import { contextOf } from '../edge/context.js';
import { notValid } from '../edge/errors.js';
import { perPage, perPageQuery } from '../edge/paging.js';
import { row, type Row } from '../edge/row.js';
import { importChanges } from './import-changes.js';
import { looking, one, params, queued, reads, shown, tag, writes, type ImportDeps } from './import-deps.js';
import { mappingIn } from './import-mapping.js';
import * as schemas from './import-schemas.js';
import { summaryOf } from './import-views.js';

/** Bytes of a file. */
export const FILE_LIMIT = 100 * 1_048_576;

/** Files of rows and columns: open-parts 6.2. */
export const importRows = (deps: ImportDeps): Row[] => [
  ...reading(deps),
  uploading(deps),
  ...importChanges(deps),
];

const uploading = ({ imports, clock, visible }: ImportDeps): Row =>
  row({
    method: 'post',
    path: '/v1/ingestion/files',
    operation: 'uploadFile',
    summary: 'Upload a file of points or events',
    description: 'It is looked at by itself; nothing of it is taken in before its commit.',
    tag,
    access: writes,
    policy: 'upload',
    upload: { limit: FILE_LIMIT },
    body: looking,
    answers: { 202: { description: 'It is kept, and will be looked at', schema: schemas.queuedAnswer } },
    errors: { 413: ['payload_too_large'] },
    async run(call) {
      const { path, name, bytes, sha256 } = call.file!;
      const { format = formatOf(name), mapping: asked } = call.body;
      if (format === null) throw noFormat;
      const mapping = asked ? mappingIn(asked) : {};
      const given = { path, file: name, bytes, sha256, format, mapping, by: call.caller.uid };
      const made = await imports.upload(call.workspace, given, contextOf(call, clock()));
      await visible(made.position);
      return { status: 202, body: queued(made.importId, 'uploaded') };
    },
  });

const noFormat = notValid([
  { loc: ['body', 'format'], msg: `is required: one of ${fileFormats.join(', ')}`, type: 'missing' },
]);

const reading = (deps: ImportDeps): Row[] => [
  row({
    method: 'get',
    path: '/v1/ingestion/files',
    operation: 'listFiles',
    summary: 'Uploaded files, the newest first',
    tag,
    access: reads,
    query: object(perPageQuery()),
    answers: { 200: { description: 'A page of them', schema: schemas.listAnswer } },
    async run({ workspace, query }) {
      const paging = { limit: query.per_page, offset: (query.page - 1) * query.per_page };
      const { items, total } = await deps.importQueries.list(workspace, paging);
      return { body: { data: { imports: items.map(summaryOf), ...perPage(query, total) } } };
    },
  }),
  row({
    method: 'get',
    path: one,
    operation: 'getFile',
    summary: 'A file, and what became of it',
    tag,
    access: reads,
    versioned: 'by_content',
    params,
    answers: { 200: { description: 'The import', schema: schemas.importAnswer } },
    errors: { 404: ['not_found'] },
    run: async ({ workspace, params: { import_id: id } }) => ({
      body: { data: await shown(deps, workspace, id) },
    }),
  }),
];
