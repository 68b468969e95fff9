import { DAY, iso } from '../../domain/time.js';
import type { PipelineFact } from '../../domain/pipelines/facts.js';
import { cycleNotFound } from '../../domain/pipelines/refusals.js';
import { contextOf } from '../edge/context.js';
import { notValid } from '../edge/errors.js';
import { perPage } from '../edge/paging.js';
import { row, type Row } from '../edge/row.js';
import { timeIn } from '../edge/times.js';
import * as answers from './answer-schemas.js';
import { one, readAccess, tag, type PipelineDeps } from './deps.js';
import { found } from './found.js';
import { mindCandidateLicence } from './licences.js';
import * as schemas from './schemas.js';
import { cycleView, promotionView } from './views.js';

const LONGEST_DEFERRAL = 30 * DAY;
const reads = { method: 'get', tag, access: readAccess, errors: { 404: ['not_found'] } } as const;

/** What people decide of candidates, and what came of cycles and of candidates before. */
export const decisionRows = (deps: PipelineDeps): Row[] => [
  decisionRow(deps),
  cyclesRow(deps),
  cycleRow(deps),
  promotionsRow(deps),
];

const decisionRow = (deps: PipelineDeps): Row =>
  row({
    method: 'post',
    path: `${one}/promotion-decision`,
    operation: 'decidePromotion',
    summary: 'Decide whether the candidate is to serve',
    description:
      'approve: it is deployed, and what serves goes out of service only once it is ready. reject: it is '
      + 'gone. defer: it waits until then.',
    tag,
    access: { kind: 'workspace', scope: ['trainings.run', 'deployments.write'] },
    leastRole: 'operator',
    params: schemas.oneParams,
    query: schemas.dryQuery,
    body: schemas.decisionBody,
    errors: {
      403: ['license_forbids_commercial_use'],
      404: ['not_found'],
      409: ['no_pending_decision', 'candidate_changed', 'version_conflict'],
    },
    answers: { 200: { description: 'It is decided', schema: answers.decisionAnswer } },
    async run(call) {
      const { workspace, params, query, body, caller } = call;
      const { pipeline_id: pipelineId } = params;
      const now = deps.clock();
      const until = untilIn(body, now);
      const { state } = await found(deps, workspace, pipelineId);
      await mindCandidateLicence(deps, state, body);
      const context = contextOf(call, now);
      const { commands } = query.dry_run ? deps.tried : deps;
      const { facts, position, after } = await commands.decide(
        {
          ...{ workspace, pipelineId, decision: body.decision, until, by: caller.uid },
          ...{ candidateId: body.candidate_id ?? null, demotePrevious: body.demote_previous ?? null },
          acceptNonCommercial: body.accept_non_commercial ?? false,
          ...{ reason: body.reason ?? null, seen: body.expected_version ?? null },
        },
        context,
      );
      await deps.visible(position);
      const [decided] = facts as readonly PipelineFact[];
      const { candidateId } = decided!.data as { readonly candidateId: string };
      const demotes = decided?.type === 'CandidateApproved' && decided.data.demotePrevious;
      const serving = after.status === 'live' ? after.serving : null;
      const isApproved = body.decision === 'approve' && !query.dry_run;
      const data = {
        ...{ pipeline_id: pipelineId, candidate_id: candidateId, decision: body.decision },
        ...{ decided_by: caller.uid, decided_at: iso(now) },
        promotion_id: isApproved ? await deps.promote({ workspace, pipelineId }, candidateId, context) : null,
        retired_promotion_id: demotes ? (serving?.promotionId ?? null) : null,
        ...(query.dry_run && { dry_run: true }),
      };
      return { body: { data } };
    },
  });

type Given = { readonly decision: string; readonly until?: string };
/** @throws Rejected 422 where a deferral names no time, or one that has passed or is too far */
function untilIn({ decision, until }: Given, now: number): number | null {
  if (decision !== 'defer') return null;
  const wrong = (msg: string) => notValid([{ loc: ['body', 'until'], msg, type: 'range', input: until }]);
  if (until === undefined) throw wrong('is required to defer');
  const at = timeIn(until, ['body', 'until']);
  if (at <= now || at > now + LONGEST_DEFERRAL) throw wrong('must lie ahead, at most 30 days');
  return at;
}

const cyclesRow = (deps: PipelineDeps): Row =>
  row({
    ...reads,
    path: `${one}/cycles`,
    operation: 'listCycles',
    summary: 'The cycles of a pipeline',
    params: schemas.oneParams,
    query: schemas.listQuery,
    answers: { 200: { description: 'Newest first', schema: answers.cyclesAnswer } },
    async run({ workspace, params, query }) {
      const doc = await found(deps, workspace, params.pipeline_id);
      const { page, per_page: limit } = query;
      const { items, total } = await deps.queries.cycles(doc, { limit, offset: (page - 1) * limit });
      return { body: { data: { cycles: items.map(cycleView), ...perPage(query, total) } } };
    },
  });

const cycleRow = (deps: PipelineDeps): Row =>
  row({
    ...reads,
    path: `${one}/cycles/{cycle_id}`,
    operation: 'getCycle',
    summary: 'One cycle, and what came of it',
    params: schemas.cycleParams,
    versioned: 'by_content',
    answers: { 200: { description: 'The cycle', schema: answers.cycleAnswer } },
    async run({ workspace, params }) {
      const doc = await found(deps, workspace, params.pipeline_id);
      const cycle = await deps.queries.cycle(doc, params.cycle_id);
      if (!cycle) throw cycleNotFound();
      return { body: { data: cycleView(cycle) } };
    },
  });

const promotionsRow = (deps: PipelineDeps): Row =>
  row({
    ...reads,
    path: `${one}/promotions`,
    operation: 'listPromotions',
    summary: 'Candidates, and what was decided of them',
    params: schemas.oneParams,
    query: schemas.listQuery,
    answers: { 200: { description: 'Newest first', schema: answers.promotionsAnswer } },
    async run({ workspace, params, query }) {
      const doc = await found(deps, workspace, params.pipeline_id);
      const { page, per_page: limit } = query;
      const { items, total } = await deps.queries.candidates(doc, { limit, offset: (page - 1) * limit });
      return { body: { data: { promotions: items.map(promotionView), ...perPage(query, total) } } };
    },
  });
