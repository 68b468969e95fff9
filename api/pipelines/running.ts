import { mindMaxCredits, type Priced } from '../../commands/billing/max-credits.js';
import { creditsNumber } from '../../domain/billing/amounts.js';
import { nextRun } from '../../domain/schedules.js';
import { budgetExhausted, cycleRunning } from '../../domain/pipelines/refusals.js';
import { DEFAULTS, refOf } from '../../domain/pipelines/settings.js';
import { iso, SECOND } from '../../domain/time.js';
import { contextOf } from '../edge/context.js';
import { wouldBe } from '../edge/dry-run.js';
import { row, type Row } from '../edge/row.js';
import { timeIn } from '../edge/times.js';
import { windowsOf } from '../edge/windows.js';
import * as answers from './answer-schemas.js';
import { one, runAccess, tag, type PipelineDeps } from './deps.js';
import { found, foundAfter, shown } from './found.js';
import * as schemas from './schemas.js';

/** Cycles are begun by hand, held back, and looked ahead at. */
export const runningRows = (deps: PipelineDeps): Row[] => [
  runRow(deps),
  heldRow(deps, 'pause'),
  heldRow(deps, 'resume'),
  previewRow(deps),
];

const runRow = (deps: PipelineDeps): Row =>
  row({
    method: 'post',
    path: `${one}/run`,
    operation: 'runPipeline',
    summary: 'Begin a cycle now',
    description:
      'All entries are trained on the segment as it is built anew. `max_credits` bounds the price.',
    tag,
    access: runAccess,
    params: schemas.oneParams,
    query: schemas.dryQuery,
    body: schemas.runBody,
    errors: {
      402: ['insufficient_credits', 'price_above_max'],
      404: ['not_found'],
      409: ['cycle_running', 'pipeline_paused', 'budget_exhausted', 'invalid_state'],
    },
    answers: {
      200: { description: 'dry_run: what it would cost', schema: answers.wouldRunAnswer },
      202: { description: 'It has begun', schema: answers.runAnswer },
    },
    async run(call) {
      const { workspace, params, query, body } = call;
      const { pipeline_id: pipelineId } = params;
      await found(deps, workspace, pipelineId);
      const { cycles } = query.dry_run ? deps.tried : deps;
      const context = contextOf(call, deps.clock());
      const mind = (price: Priced) => mindMaxCredits(price, body.max_credits);
      const of = { workspace, pipelineId };
      const { cycleId, outcome, price } = await cycles.begin(of, 'manual', context, mind);
      await deps.visible(outcome.position);
      const { after } = outcome;
      const [first] = outcome.facts;
      if (after.status === 'live' && first?.type !== 'CycleStarted') {
        if (after.cycle) throw cycleRunning(after.cycle.cycleId);
        throw budgetExhausted('cycle', after.settings.monthlyCreditCap);
      }
      if (query.dry_run && first?.type === 'CycleStarted') {
        const entries = first.data.entries.map(({ entry, price: credits, refused }) => ({
          ...{ model_ref: refOf(entry), credits: creditsNumber(credits), error: refused },
        }));
        return { body: { data: { dry_run: true, credits: creditsNumber(price.amount), entries } } };
      }
      const poll_url = `/v1/pipelines/${pipelineId}/cycles/${cycleId}`;
      const data = { cycle_id: cycleId, status: 'queued', poll_url, credits: creditsNumber(price.amount) };
      return { status: 202, body: { status: 'queued', data } };
    },
  });

const heldRow = (deps: PipelineDeps, does: 'pause' | 'resume'): Row =>
  row({
    method: 'post',
    path: `${one}/${does}`,
    operation: `${does}Pipeline`,
    summary: does === 'pause' ? 'Let no cycle begin' : 'Let cycles begin again',
    description:
      does === 'pause' ? 'One that is under way comes to its end.' : 'What was missed is not made up for.',
    tag,
    access: runAccess,
    params: schemas.oneParams,
    query: schemas.dryQuery,
    errors: { 404: ['not_found'] },
    answers: {
      200: { description: 'As it is now; with dry_run as it would be', schema: answers.oneAnswer },
    },
    async run(call) {
      const { workspace, params, query } = call;
      const { pipeline_id: pipelineId } = params;
      const before = await found(deps, workspace, pipelineId);
      const context = contextOf(call, deps.clock());
      const { commands: by } = query.dry_run ? deps.tried : deps;
      const outcome = await by[does]({ workspace, pipelineId }, context);
      const answer = await shown(deps, await foundAfter(deps, workspace, pipelineId, before, outcome));
      return query.dry_run ? wouldBe(answer.body.data) : answer;
    },
  });

const previewRow = ({ clock }: PipelineDeps): Row =>
  row({
    method: 'post',
    path: '/v1/pipelines/schedule/preview',
    operation: 'previewSchedule',
    summary: 'When a schedule would begin cycles',
    description: 'As if each cycle began as soon as it may. Nothing is kept.',
    tag,
    access: runAccess,
    body: schemas.previewBody,
    answers: { 200: { description: 'The next ones, in order', schema: answers.previewAnswer } },
    run({ body }) {
      const { training_schedule: given, from, count = 10 } = body;
      const schedule = windowsOf(given, ['training_schedule'], DEFAULTS.gapSeconds);
      const runs: string[] = [];
      let at = from === undefined ? clock() : timeIn(from, ['body', 'from']);
      let last: number | null = null;
      while (runs.length < count) {
        const next = nextRun(schedule, last, at);
        if (next === null) break;
        runs.push(iso(next));
        [last, at] = [next, next + SECOND];
      }
      return { body: { data: { runs, timezone: schedule.timezone } } };
    },
  });
