import { contextOf } from '../edge/context.js';
import { row, type Row } from '../edge/row.js';
import { iso } from '../../domain/time.js';
import { Rejected } from '../../domain/rejected.js';
import { withoutSecret } from './create-event-row.js';
import { foundSource, one, tag, writes, type IngestionDeps } from './deps.js';
import { shown } from './source-changes.js';
import * as schemas from './source-schemas.js';

const changes = { tag, access: writes, leastRole: 'operator', params: schemas.sourceParams } as const;
const DEFAULT_GRACE_S = 86_400;

/** Pausing a source, letting it go on, giving it another secret. */
export const keepingRows = (deps: IngestionDeps): Row[] => [
  keepRow(deps, 'pause', 'PauseSource', 'Take nothing from it for a while'),
  keepRow(deps, 'resume', 'ResumeSource', 'Let a paused source go on'),
  rotateRow(deps),
];

const keepRow = (
  deps: IngestionDeps,
  name: 'pause' | 'resume',
  type: 'PauseSource' | 'ResumeSource',
  summary: string,
): Row =>
  row({
    ...changes,
    method: 'post',
    path: `${one}/${name}`,
    operation: `${name}Source`,
    summary,
    errors: { 404: ['not_found'] },
    answers: { 200: { description: 'As it is now', schema: schemas.sourceAnswer } },
    async run(call) {
      const { source_id: sourceId } = call.params;
      await foundSource(deps, call.workspace, sourceId);
      const context = contextOf(call, deps.clock());
      const { position } = await deps.sources.keep(call.workspace, sourceId, type, context);
      await deps.visible(position);
      const { body } = await shown(deps, call.workspace, sourceId);
      return { body };
    },
  });

const rotateRow = (deps: IngestionDeps): Row =>
  row({
    ...changes,
    method: 'post',
    path: `${one}/rotate-secret`,
    operation: 'rotateSourceSecret',
    summary: 'Give a webhook source another secret',
    description: 'Until the grace ends the secrets of before count, too. The new one is shown this once.',
    body: schemas.rotateBody,
    kept: withoutSecret,
    errors: { 400: ['not_a_webhook'], 404: ['not_found'] },
    answers: { 200: { description: 'The new secret', schema: schemas.rotatedAnswer } },
    async run(call) {
      const { source_id: sourceId } = call.params;
      const { grace_seconds: graceS = DEFAULT_GRACE_S } = call.body;
      const { mode } = await foundSource(deps, call.workspace, sourceId);
      if (mode !== 'push') throw new Rejected('invalid', 'not_a_webhook', 'Source is not a webhook');
      const context = contextOf(call, deps.clock());
      const { secret, graceUntil, position } = await deps.sources.rotateSecret(
        call.workspace,
        sourceId,
        graceS,
        context,
      );
      await deps.visible(position);
      const data = {
        source_id: sourceId,
        webhook_secret: secret,
        previous_secret_expires_at: iso(graceUntil),
      };
      return { body: { data } };
    },
  });
