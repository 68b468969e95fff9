import { DOWNLOAD_S } from '../../commands/downloads.js';
import { byomNotFound } from '../../domain/byom/decider.js';
import { object } from '../../json-schema.js';
import { row, type Row } from '../edge/row.js';
import { one, reads, shown, tag, type ByomDeps } from './deps.js';
import * as schemas from './schemas.js';
import { originalOf } from './views.js';

const given = { type: 'string', maxLength: 200 } as const;

/** The file as it was uploaded, behind a link: open-parts 8, 32.24. */
export const downloadRows = (deps: ByomDeps): Row[] => [
  row({
    method: 'get',
    path: `${one}/download`,
    operation: 'downloadByom',
    summary: 'A link to the file as it was uploaded',
    description: 'The link needs no credential, and is good for an hour.',
    tag,
    access: reads,
    params: schemas.params,
    errors: { 404: ['not_found'] },
    answers: { 200: { description: 'Whoever has the link has the file', schema: schemas.linkAnswer } },
    async run({ workspace, params: { byom_id: id } }) {
      const { path, filename, bytes, sha256 } = originalOf(await shown(deps, workspace, id));
      const data = {
        download_url: deps.url() + deps.downloads.link({ path, sha256 }),
        ...{ filename, format: 'original', size_bytes: bytes, sha256, expires_in_seconds: DOWNLOAD_S },
      };
      return { body: { data } };
    },
  }),
  row({
    method: 'get',
    path: `${one}/artifact`,
    operation: 'getByomArtifact',
    summary: 'The file behind a link',
    tag,
    access: { kind: 'signed' },
    params: schemas.params,
    query: object({ expires: given, sha256: given, signature: given }),
    errors: { 401: ['invalid_signature'], 404: ['not_found'], 410: ['download_expired', 'file_not_kept'] },
    answers: {
      200: {
        description: 'The bytes that were uploaded',
        schema: { type: 'string', format: 'binary' },
        media: 'application/octet-stream',
      },
    },
    async run({ params: { byom_id: id }, query }) {
      deps.downloads.check(`/v1/models/byom/${id}/artifact`, query);
      const doc = await deps.queries.any(id);
      if (doc?.sha256 !== query.sha256) throw byomNotFound();
      return {
        body: await deps.content(doc.workspace, id, doc.sha256),
        headers: {
          'Content-Type': 'application/octet-stream',
          'Content-Length': String(doc.bytes),
          'Content-Disposition': `attachment; filename="${plain(doc.file) || id}"`,
        },
      };
    },
  }),
];

/** What a header may hold of a name. */
const plain = (name: string): string => name.replace(/[^\w. -]/g, '_').slice(0, 100);
