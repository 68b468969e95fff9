import { mindMaxCredits } from '../../commands/billing/max-credits.js';
import type { KeptDeployment } from '../../commands/deployments.js';
import { statusIn } from '../../domain/deployments/state.js';
import { Rejected } from '../../domain/rejected.js';
import { contextOf } from '../edge/context.js';
import { dryQuery, wouldBe } from '../edge/dry-run.js';
import { notValid } from '../edge/errors.js';
import { row, type Row } from '../edge/row.js';
import { hourOf, tag, writeAccess, type DeploymentDeps } from './deps.js';
import { doingOf } from './doing.js';
import { found, minAboveMax, mustBeInService } from './references.js';
import * as schemas from './schemas.js';
import { shortView } from './views.js';

const one = '/v1/deployments/{promotion_id}';
const common = { tag, access: writeAccess, params: schemas.oneParams } as const;

/** Size, another try, and the end of a deployment. */
export const changeRows = (deps: DeploymentDeps): Row[] => {
  const { commands, tried, dependants, serving, clock, visible } = deps;
  /**
   * As it was decided, once that shows: what the scheduler or somebody else has made of it since is told by
   * who asks again.
   */
  const shown = async (workspace: string, promotionId: string, decided: KeptDeployment) => {
    const { position, revision, after } = decided;
    await visible(position);
    const doc = await found(deps, workspace, promotionId);
    const note = doc.revision === revision ? doc.note : null;
    const { current } = after;
    const least = current?.promotionId === promotionId ? current.replicas.min : doc.replicas_min;
    const then = { ...doc, status: statusIn(after, promotionId), note, replicas_min: least };
    return shortView(then, await doingOf(then, deps));
  };
  const queued = async (workspace: string, promotionId: string, decided: KeptDeployment) => {
    const data = await shown(workspace, promotionId, decided);
    const poll_url = `/v1/deployments/${promotionId}/status`;
    return { status: 202, body: { status: 'queued', data: { ...data, poll_url } } };
  };
  const inUse = async (workspace: string, promotionId: string): Promise<void> => {
    const goals = (await dependants(workspace)).get(promotionId) ?? [];
    if (goals.length === 0) return;
    throw new Rejected(
      'conflict',
      'IN_USE',
      'Active goals depend on it: name a replacement, or send force: true',
      { goal_ids: goals },
    );
  };

  return [
    row({
      ...common,
      method: 'post',
      path: `${one}/scale`,
      operation: 'scaleDeployment',
      summary: 'Change how many workers it may use, and when it sleeps',
      description: 'It goes on serving meanwhile. Only while it is deployed or degraded.',
      query: dryQuery,
      body: schemas.scaleBody,
      errors: { 402: ['price_above_max'], 404: ['not_found'], 409: ['invalid_state'] },
      answers: {
        200: { description: 'dry_run: as it would be', schema: schemas.wouldChangeAnswer },
        202: { description: 'It is being scaled', schema: schemas.queuedAnswer },
      },
      async run(call) {
        const { workspace, params, body, query } = call;
        const { min, max } = body;
        if (min > max) throw minAboveMax(['body', 'min'], min);
        mindMaxCredits(hourOf(deps, min), body.max_credits);
        const doc = await found(deps, workspace, params.promotion_id);
        const { scale_to_zero_after_s: sleep = doc.scale_to_zero_after_s } = body;
        const size = { replicas: { min, max }, scaleToZeroAfterS: sleep };
        const by = query.dry_run ? tried : commands;
        const scaled = await by.scale(workspace, params.promotion_id, size, contextOf(call, clock()));
        if (query.dry_run) return wouldBe(await shown(workspace, params.promotion_id, scaled));
        return queued(workspace, params.promotion_id, scaled);
      },
    }),
    row({
      ...common,
      method: 'post',
      path: `${one}/retry`,
      operation: 'retryDeployment',
      summary: 'Try a failed deployment again',
      errors: { 404: ['not_found'], 409: ['not_retryable'] },
      answers: { 202: { description: 'It is being deployed', schema: schemas.queuedAnswer } },
      async run(call) {
        const { workspace, params } = call;
        const retried = await commands.retry(workspace, params.promotion_id, contextOf(call, clock()));
        return queued(workspace, params.promotion_id, retried);
      },
    }),
    row({
      ...common,
      method: 'post',
      path: `${one}/unpromote`,
      operation: 'unpromoteDeployment',
      summary: 'Take a deployment out of service',
      description: 'It takes no new forecasts; those under way end, within 30 seconds. This is for good.',
      query: dryQuery,
      body: schemas.unpromoteBody,
      errors: { 404: ['not_found'], 409: ['IN_USE'] },
      answers: {
        200: { description: 'It is out of service, or would be', schema: schemas.changedAnswer },
      },
      async run(call) {
        const { workspace, params, body, query } = call;
        const { promotion_id: promotionId } = params;
        const { reason = null, replacement = null, force = false } = body;
        await found(deps, workspace, promotionId);
        if (replacement === promotionId)
          throw notValid([
            { loc: ['body', 'replacement'], msg: 'is itself', type: 'value_error', input: replacement },
          ]);
        if (replacement !== null) await mustBeInService(deps, workspace, 'replacement', replacement);
        if (replacement === null && !force) await inUse(workspace, promotionId);
        const context = contextOf(call, clock());
        const left = { reason, replacement };
        const by = query.dry_run ? tried : commands;
        const unpromoted = await by.unpromote(workspace, promotionId, left, context);
        if (query.dry_run) return wouldBe(await shown(workspace, promotionId, unpromoted));
        const retired = await serving.retireIdle({ workspace, promotionId }, context);
        const data = await shown(workspace, promotionId, retired ?? unpromoted);
        return { body: { status: 'ok', data } };
      },
    }),
  ];
};
