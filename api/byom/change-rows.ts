import { contextOf } from '../edge/context.js';
import { dryQuery, wouldBe } from '../edge/dry-run.js';
import { row, type Row } from '../edge/row.js';
import { versionIn } from '../edge/versions.js';
import { all, one, tag, writes, type ByomDeps } from './deps.js';
import * as schemas from './schemas.js';

/** What becomes of a model that was uploaded. */
export const changeRows = (deps: ByomDeps): Row[] => [
  row({
    method: 'post',
    path: `${one}/validate`,
    operation: 'validateByom',
    summary: 'Try a model out',
    description: 'It runs in a process of its own, on rows of a segment or on a series made for it.',
    tag,
    access: writes,
    policy: 'heavy',
    params: schemas.params,
    body: schemas.validateBody,
    answers: { 202: { description: 'It will be tried', schema: schemas.queuedAnswer } },
    errors: { 404: ['not_found'], 409: ['invalid_state', 'not_built'] },
    async run(call) {
      const { workspace, caller } = call;
      const { byom_id: id } = call.params;
      const segmentId = call.body.segment_id ?? null;
      await deps.commands.found(workspace, id);
      if (segmentId !== null) await deps.segmentFits(workspace, segmentId);
      const context = contextOf(call, deps.clock());
      const made = await deps.commands.validate(workspace, id, segmentId, caller.uid, context);
      await deps.visible(made.position);
      const poll = `${all}/${id}/validations/${made.validationId}`;
      const data = { byom_id: id, validation_id: made.validationId, status: 'queued', poll_url: poll };
      return { status: 202, body: { status: 'queued', data } };
    },
  }),
  row({
    method: 'post',
    path: `${one}/register`,
    operation: 'registerByom',
    summary: 'Put a model that passed its checks into the catalogue',
    description:
      'Where it is public other workspaces may evaluate and deploy it, and download its file once they '
      + 'evaluated it. Nothing makes it private again but its deletion. Files of models that became public '
      + 'before that was so stay with the workspace that uploaded them.',
    tag,
    access: writes,
    params: schemas.params,
    body: schemas.registerBody,
    answers: { 201: { description: 'It can be deployed', schema: schemas.registeredAnswer } },
    errors: { 404: ['not_found'], 409: ['not_validated'] },
    async run(call) {
      const { workspace, caller, body } = call;
      const { byom_id: id } = call.params;
      const { name, visibility = 'private', tags = [] } = body;
      const { uid, position } = await deps.commands.register(
        { workspace, byomId: id, name: name?.trim() ?? null, visibility, tags, by: caller.uid },
        contextOf(call, deps.clock()),
      );
      await deps.visible(position);
      return { status: 201, body: { data: { uid, byom_id: id, message: 'It can be deployed' } } };
    },
  }),
  row({
    method: 'delete',
    path: one,
    operation: 'deleteByom',
    summary: 'Delete a model and its file',
    tag,
    access: writes,
    params: schemas.params,
    query: dryQuery,
    versioned: true,
    answers: { 200: { description: 'It is gone', schema: schemas.deletedAnswer } },
    errors: { 404: ['not_found'], 409: ['IN_USE', 'version_conflict'] },
    async run(call) {
      const { workspace, params, caller, query, ifMatch } = call;
      const { byom_id: id } = params;
      const isDry = query.dry_run === true;
      const context = contextOf(call, deps.clock());
      const data = { workspace, byomId: id, by: caller.uid, seen: versionIn(ifMatch) };
      await deps.visible(await deps.commands.remove(data, isDry, context));
      if (isDry) return wouldBe({ byom_id: id });
      return { body: { status: 'deleted', byom_id: id } };
    },
  }),
];
