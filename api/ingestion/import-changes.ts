import type { Context } from '../../commands/engine/handle.js';
import type { Looking } from '../../commands/ingestion/imports.js';
import { isBeforeCommit, notOpen } from '../../domain/ingestion/imports/decider.js';
import { Rejected } from '../../domain/rejected.js';
import { contextOf } from '../edge/context.js';
import { row, type Row } from '../edge/row.js';
import {
  looking,
  lookingIn,
  one,
  params,
  queued,
  shown,
  tag,
  writes,
  type ImportDeps,
} from './import-deps.js';
import { mappingFaults } from './import-mapping.js';
import * as schemas from './import-schemas.js';

/** What becomes of a file that was uploaded. */
export const importChanges = (deps: ImportDeps): Row[] => [
  row({
    method: 'post',
    path: `${one}/preview`,
    operation: 'previewFile',
    summary: 'Look at a file: its columns, its first rows, and what would become of it',
    description: 'Another `mapping` or `format` is kept for its commit.',
    tag,
    access: writes,
    policy: 'heavy',
    params,
    body: looking,
    answers: { 200: { description: 'What was found', schema: schemas.importAnswer } },
    errors: { 404: ['not_found'], 409: ['import_not_open'] },
    async run(call) {
      const { workspace, signal } = call;
      const { import_id: id } = call.params;
      const context = contextOf(call, deps.clock());
      const { position } = await deps.imports.look(
        workspace,
        id,
        lookingIn(call.body),
        false,
        signal,
        context,
      );
      await deps.visible(position);
      return { body: { data: await shown(deps, workspace, id) } };
    },
  }),
  row({
    method: 'post',
    path: `${one}/commit`,
    operation: 'commitFile',
    summary: 'Take in a file',
    tag,
    access: writes,
    params,
    body: looking,
    answers: { 202: { description: 'It will be taken in', schema: schemas.queuedAnswer } },
    errors: { 404: ['not_found'], 409: ['import_not_open'], 429: ['quota_exceeded'] },
    async run(call) {
      const { workspace, caller } = call;
      const { import_id: id } = call.params;
      const context = contextOf(call, deps.clock());
      const fit = await fitting(deps, workspace, id, lookingIn(call.body), call.signal, context);
      const { position } = await deps.imports.commit(workspace, id, fit, caller.uid, context);
      await deps.visible(position);
      return { status: 202, body: queued(id, 'committing') };
    },
  }),
  row({
    method: 'post',
    path: `${one}/cancel`,
    operation: 'cancelFile',
    summary: 'Take in no more of a file',
    description: 'What was taken in stays.',
    tag,
    access: writes,
    params,
    answers: { 200: { description: 'It ends here', schema: schemas.cancelledAnswer } },
    errors: { 404: ['not_found'], 409: ['import_not_open'] },
    async run(call) {
      const { import_id: id } = call.params;
      const context = contextOf(call, deps.clock());
      const { position } = await deps.imports.cancel(call.workspace, id, null, context);
      await deps.visible(position);
      return { body: { status: 'cancelled', import_id: id } };
    },
  }),
];

/** Format and mapping that fit the file. @throws Rejected 404, 409, 429, and 422 when none does */
async function fitting(
  { imports, allowance }: ImportDeps,
  workspace: string,
  importId: string,
  asked: Looking,
  signal: AbortSignal,
  context: Context,
) {
  const before = await imports.found(workspace, importId);
  if (!isBeforeCommit(before)) throw notOpen(before);
  const refusal = await allowance.refusal(workspace);
  if (refusal) throw refusal;
  const isKnown = before.status === 'parsed' && Object.keys(asked).length === 0;
  if (isKnown && before.mapping) return { format: before.format, mapping: before.mapping };
  const { found, preview } = await imports.look(workspace, importId, asked, false, signal, context);
  if (!preview) throw new Rejected('unprocessable', found.error!.code, found.error!.message);
  if (!found.mapping) throw mappingFaults(preview.faults);
  return { format: found.format, mapping: found.mapping };
}
