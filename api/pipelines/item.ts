import { mindMaxCredits } from '../../commands/billing/max-credits.js';
import { turns } from '../../commands/engine/turns.js';
import { roleReaches } from '../../domain/groups/roles.js';
import { creditsNumber } from '../../domain/billing/amounts.js';
import type { PipelineSettings } from '../../domain/pipelines/settings.js';
import { Rejected } from '../../domain/rejected.js';
import { isTimed } from '../../domain/schedules.js';
import type { PipelineDoc } from '../../projections/pipelines/documents.js';
import { roleTooLow } from '../edge/auth-refusals.js';
import { contextOf } from '../edge/context.js';
import { perPage } from '../edge/paging.js';
import { row, type Caller, type Row } from '../edge/row.js';
import * as answers from './answer-schemas.js';
import { one, readAccess, runAccess, tag, type PipelineDeps } from './deps.js';
import { found, foundAfter, shown, shownOf } from './found.js';
import * as schemas from './schemas.js';
import { patched } from './patching.js';
import { settingsIn } from './settings.js';
import { versionIn } from '../edge/versions.js';
import { givenOf } from './views.js';

const refusals = {
  400: ['horizon_above_cap', 'lookback_above_cap', 'family_unavailable'],
  403: ['role_forbidden', 'license_forbids_commercial_use'],
  404: ['not_found', 'model_not_available'],
} as const;

/** Pipelines themselves: made, shown, changed and deleted. */
export function itemRows(deps: PipelineDeps): Row[] {
  const { commands, tried, queries, clock } = deps;
  const inTurn = turns<PipelineDoc>();
  /** As it would be, and what its next cycle would cost at most. */
  const would = async (workspace: string, doc: PipelineDoc) => {
    const { body } = await shown(deps, doc);
    const { price } = await deps.cycles.plan({ workspace, pipelineId: doc.pipeline_id }, doc.state);
    return { body: { data: { ...body.data, dry_run: true, cycle_credits: creditsNumber(price.amount) } } };
  };
  const change = async (
    call: { readonly caller: Caller; readonly ifMatch: string | null; readonly requestId: string },
    before: PipelineDoc,
    settings: PipelineSettings,
    isDry: boolean | undefined,
  ) => {
    const { workspace, pipeline_id: pipelineId } = before;
    mindBudget(call.caller, before.state.settings.monthlyCreditCap, settings);
    const of = { workspace, pipelineId };
    const by = isDry ? tried.commands : commands;
    const context = contextOf(call as Parameters<typeof contextOf>[0], clock());
    const { segmentId } = settings;
    const isOther = segmentId !== before.state.settings.segmentId;
    const points = isOther && { rowsSeen: await deps.rowsOf(workspace, segmentId) };
    const wanted = { settings, seen: versionIn(call.ifMatch), ...points };
    const outcome = await by.change(of, wanted, context);
    const doc = await foundAfter(deps, workspace, pipelineId, before, outcome);
    return isDry ? would(workspace, doc) : shown(deps, doc);
  };
  const changed = {
    200: { description: 'As it is now; with dry_run as it would be', schema: answers.oneAnswer },
  };
  return [
    row({
      method: 'get',
      path: '/v1/pipelines',
      operation: 'listPipelines',
      summary: 'List pipelines',
      tag,
      access: readAccess,
      query: schemas.listQuery,
      answers: { 200: { description: 'Newest first', schema: answers.listAnswer } },
      async run({ workspace, query }) {
        const { page, per_page: limit } = query;
        const { items, total } = await queries.pipelines(workspace, { limit, offset: (page - 1) * limit });
        return { body: { data: { pipelines: await shownOf(deps, items), ...perPage(query, total) } } };
      },
    }),
    row({
      method: 'post',
      path: '/v1/pipelines',
      operation: 'createPipeline',
      summary: 'Have a pool of models trained, and the best one proposed or deployed',
      description:
        'Without a schedule it is trained once, now; with one in its windows. `max_credits` bounds the price '
        + 'of what begins now.',
      tag,
      access: runAccess,
      query: schemas.dryQuery,
      body: schemas.createBody,
      errors: { ...refusals, 402: ['price_above_max'], 403: ['pipeline_limit_reached', ...refusals[403]] },
      answers: {
        200: { description: 'dry_run: as it would be', schema: answers.oneAnswer },
        201: { description: 'Made', schema: answers.oneAnswer },
      },
      async run(call) {
        const { workspace, body, caller, query } = call;
        const { max_credits, ...given } = body;
        const settings = await settingsIn(deps, workspace, given);
        mindBudget(caller, null, settings);
        await mindFirst(deps, workspace, settings, max_credits);
        const rowsSeen = await deps.rowsOf(workspace, settings.segmentId);
        const wanted = { settings, owner: caller.uid, rowsSeen };
        const { commands: by } = query.dry_run ? tried : deps;
        const context = contextOf(call, clock());
        // One after the other, so that each sees those before it
        const doc = await inTurn(workspace, async () => {
          await mindLimit(deps, workspace);
          const { pipelineId, outcome } = await by.create(workspace, wanted, context);
          return foundAfter(deps, workspace, pipelineId, null, outcome);
        });
        return query.dry_run ? would(workspace, doc) : { status: 201, ...(await shown(deps, doc)) };
      },
    }),
    row({
      method: 'get',
      path: one,
      operation: 'getPipeline',
      summary: 'One pipeline',
      tag,
      access: readAccess,
      versioned: true,
      params: schemas.oneParams,
      errors: { 404: ['not_found'] },
      answers: { 200: { description: 'What it is at, and what serves', schema: answers.oneAnswer } },
      run: async ({ workspace, params }) => shown(deps, await found(deps, workspace, params.pipeline_id)),
    }),
    row({
      method: 'put',
      path: one,
      operation: 'replacePipeline',
      summary: 'Give a pipeline other settings',
      description: 'What is not named is as for a new one.',
      tag,
      access: runAccess,
      versioned: true,
      params: schemas.oneParams,
      query: schemas.dryQuery,
      body: schemas.settingsBody,
      errors: { ...refusals, 409: ['version_conflict'] },
      answers: changed,
      async run(call) {
        const { workspace, params, body, query } = call;
        const before = await found(deps, workspace, params.pipeline_id);
        return change(call, before, await settingsIn(deps, workspace, body), query.dry_run);
      },
    }),
    row({
      method: 'patch',
      path: one,
      operation: 'changePipeline',
      summary: 'Change some settings of a pipeline',
      description: 'What is absent stays as it is, in members of members too; null clears.',
      tag,
      access: runAccess,
      versioned: true,
      params: schemas.oneParams,
      query: schemas.dryQuery,
      body: schemas.patchBody,
      errors: { ...refusals, 409: ['version_conflict'] },
      answers: changed,
      async run(call) {
        const { workspace, params, body, query } = call;
        const before = await found(deps, workspace, params.pipeline_id);
        const { settings } = before.state;
        const given = patched(givenOf(settings), body);
        const kept = body.models === undefined ? settings : null;
        return change(call, before, await settingsIn(deps, workspace, given, kept), query.dry_run);
      },
    }),
    row({
      method: 'delete',
      path: one,
      operation: 'deletePipeline',
      summary: 'Delete a pipeline',
      description:
        'Trainings under way are cancelled; what it deployed stays in service until it is unpromoted.',
      tag,
      access: runAccess,
      versioned: true,
      params: schemas.oneParams,
      query: schemas.dryQuery,
      errors: { 404: ['not_found'], 409: ['version_conflict'] },
      answers: {
        200: {
          description: 'It is no longer there; with dry_run what would go with it',
          schema: answers.deletedAnswer,
        },
      },
      async run(call) {
        const { workspace, params, ifMatch, query } = call;
        const { pipeline_id: pipelineId } = params;
        const { state } = await found(deps, workspace, pipelineId);
        const { commands: by } = query.dry_run ? tried : deps;
        const context = contextOf(call, clock());
        const outcome = await by.remove({ workspace, pipelineId }, versionIn(ifMatch), context);
        await deps.visible(outcome.position);
        if (!query.dry_run) return { body: { status: 'deleted' } };
        const [fact] = outcome.facts;
        const open = fact?.type === 'PipelineDeleted' ? fact.data.trainings.length : 0;
        const would = {
          ...{ dry_run: true, pipeline_id: pipelineId, cancelled_trainings: open },
          serving_promotion_id: state.serving?.promotionId ?? null,
        } as const;
        return { body: { data: would } };
      },
    }),
  ];
}

/** @throws Rejected 403 for who may not say what is spent */
function mindBudget({ role }: Caller, before: number | null, { monthlyCreditCap }: PipelineSettings): void {
  if (monthlyCreditCap === before) return;
  if (!role || !roleReaches(role, 'admin')) throw roleTooLow(role, 'admin', 'workspace');
}

/** One without windows is trained at once. @throws Rejected 402 where that may cost more */
async function mindFirst(
  { cycles }: Pick<PipelineDeps, 'cycles'>,
  workspace: string,
  settings: PipelineSettings,
  most: number | undefined,
): Promise<void> {
  if (most === undefined || (settings.schedule && isTimed(settings.schedule))) return;
  const { price } = await cycles.plan({ workspace, pipelineId: '' }, { settings, cycles: 0 });
  mindMaxCredits(price, most);
}

/** @throws Rejected 403 where the plan allows no more */
async function mindLimit({ quota }: Pick<PipelineDeps, 'quota'>, workspace: string): Promise<void> {
  const { limit, used, plan } = await quota(workspace);
  if (limit === null || used < limit) return;
  throw new Rejected('forbidden', 'pipeline_limit_reached', `The plan ${plan} allows ${limit} pipelines`, {
    ...{ limit, used, plan },
  });
}
