import { DOWNLOAD_S } from '../../commands/downloads.js';
import { Rejected } from '../../domain/rejected.js';
import { trainingNotFound } from '../../domain/trainings/decider.js';
import { object } from '../../json-schema.js';
import { row, type Row } from '../edge/row.js';
import { readAccess, tag, type TrainingDeps } from './deps.js';
import { found, notCompleted } from './found.js';
import { oneParams, text, whole } from './schemas.js';

const FILES = {
  onnx: { ending: 'onnx', type: 'application/octet-stream' },
  xgboost_json: { ending: 'json', type: 'application/json' },
} as const;
const fileName = (trainingId: string, format: keyof typeof FILES): string =>
  `${trainingId}.${FILES[format].ending}`;

const given = { type: 'string', maxLength: 200 } as const;

/** The file of what was trained, behind a link: specification 4.6, open-parts 32.24. */
export const downloadRows = (deps: TrainingDeps): Row[] => [
  row({
    method: 'get',
    path: '/v1/training/{training_id}/download',
    operation: 'downloadTraining',
    summary: 'A link to the file of what was trained',
    description:
      'The link needs no credential, and is good for an hour. Of an evaluation of an uploaded model it leads '
      + 'to the file as it was uploaded. 409 not_exportable: fine-tuned foundation models, and models that '
      + 'cannot be written as a file, and public uploaded models of another workspace that were registered '
      + 'before their files were shared. 410 file_not_kept: the uploaded model was deleted.',
    tag,
    access: readAccess,
    params: oneParams,
    errors: {
      404: ['not_found'],
      409: ['training_not_completed', 'not_exportable'],
      410: ['file_not_kept'],
    },
    answers: {
      200: {
        description: 'Whoever has the link has the file',
        schema: object({
          data: object({
            download_url: text,
            filename: text,
            format: { enum: ['onnx', 'xgboost_json', 'original'] },
            size_bytes: whole,
            sha256: text,
            expires_in_seconds: whole,
          }),
        }),
      },
    },
    async run({ workspace, params: { training_id } }) {
      const doc = await found(deps, workspace, training_id);
      const { artifact, status, what } = doc;
      if (what.kind === 'foundation') throw notExportable('A fine-tuned foundation model');
      if (status !== 'completed') throw notCompleted(doc);
      if (what.kind === 'byom') return { body: { data: await original(deps, workspace, what.model.slug) } };
      if (!artifact) throw notExportable('This model');
      const { format, sha256, sizeBytes: size_bytes } = artifact;
      const path = `/v1/training/${training_id}/artifact`;
      const data = {
        download_url: deps.url() + deps.downloads.link({ path, sha256 }),
        filename: fileName(training_id, format),
        ...{ format, size_bytes, sha256, expires_in_seconds: DOWNLOAD_S },
      };
      return { body: { data } };
    },
  }),
  row({
    method: 'get',
    path: '/v1/training/{training_id}/artifact',
    operation: 'getTrainingArtifact',
    summary: 'The file behind a link',
    tag,
    access: { kind: 'signed' },
    params: oneParams,
    query: object({ expires: given, sha256: given, signature: given }),
    errors: {
      401: ['invalid_signature'],
      404: ['not_found'],
      410: ['download_expired', 'file_not_kept'],
    },
    answers: {
      200: {
        description: 'The bytes that `artifact.sha256` is of',
        schema: { type: 'string', format: 'binary' },
        media: 'application/octet-stream',
      },
    },
    async run({ params: { training_id }, query }) {
      deps.downloads.check(`/v1/training/${training_id}/artifact`, query);
      const artifact = (await deps.queries.byId(training_id))?.artifact;
      if (artifact?.sha256 !== query.sha256) throw trainingNotFound(training_id);
      const { format, sizeBytes } = artifact;
      return {
        body: await deps.artifact(query.sha256),
        headers: {
          'Content-Type': FILES[format].type,
          'Content-Length': String(sizeBytes),
          'Content-Disposition': `attachment; filename="${fileName(training_id, format)}"`,
        },
      };
    },
  }),
];

/** Of a model that was uploaded the very file. */
async function original(deps: TrainingDeps, workspace: string, byomId: string) {
  const file = await deps.original(workspace, byomId);
  if (!file)
    throw new Rejected('gone', 'file_not_kept', 'The uploaded model was deleted, and its file with it');
  const { path, filename, bytes: size_bytes, sha256 } = file;
  const download_url = deps.url() + deps.downloads.link({ path, sha256 });
  return { download_url, filename, format: 'original', size_bytes, sha256, expires_in_seconds: DOWNLOAD_S };
}

const notExportable = (what: string): Rejected =>
  new Rejected('conflict', 'not_exportable', `${what} has no file to download`);
