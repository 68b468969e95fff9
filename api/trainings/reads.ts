import { iso } from '../../domain/time.js';
import type { TrainingDoc } from '../../projections/trainings/documents.js';
import { perPage } from '../edge/paging.js';
import { row, type Row } from '../edge/row.js';
import { spanIn } from '../edge/times.js';
import { readAccess, tag, type TrainingDeps } from './deps.js';
import { found, kept, notCompleted } from './found.js';
import { reportAnswer } from './report-schemas.js';
import * as schemas from './schemas.js';
import { blueprintView, pointView, reportView, trainingView } from './views.js';

const one = '/v1/training/{training_id}';
const missing = { 404: ['not_found'] };

/** What trainings are and were: open-parts 10. */
export function readRows(deps: TrainingDeps): Row[] {
  const { queries, files, logOf, namesOf } = deps;
  const waitingBefore = async ({ workspace, waiting, queued_at }: TrainingDoc): Promise<number | null> =>
    waiting ? queries.waitingBefore(workspace, queued_at) : null;
  return [
    row({
      method: 'get',
      path: '/v1/training',
      operation: 'listTrainings',
      summary: 'List trainings',
      tag,
      access: readAccess,
      query: schemas.listQuery,
      answers: { 200: { description: 'Newest first', schema: schemas.listAnswer } },
      async run({ workspace, query }) {
        const { page, per_page: size, pipeline_id, segment_id, model = null, status = null } = query;
        const of = { pipelineId: pipeline_id ?? null, segmentId: segment_id ?? null, model, status };
        const filter = { ...of, ...spanIn(query) };
        const { trainings, total } = await queries.page(workspace, filter, (page - 1) * size, size);
        const shown = await Promise.all(
          trainings.map(async doc => trainingView(doc, await waitingBefore(doc))),
        );
        return { body: { data: { trainings: shown, ...perPage(query, total) } } };
      },
    }),
    row({
      method: 'get',
      path: one,
      operation: 'getTraining',
      summary: 'One training',
      tag,
      access: readAccess,
      params: schemas.oneParams,
      versioned: 'by_content',
      errors: { ...missing, 410: ['report_not_kept'] },
      answers: { 200: { description: 'As it is now, with its report', schema: schemas.oneAnswer } },
      async run({ workspace, params: { training_id } }) {
        const doc = await found(deps, workspace, training_id);
        const { blueprint, report, comparison } = doc;
        const { owner } = blueprint;
        const names = owner === null ? null : await namesOf([owner]);
        const head = report && (await kept(() => files.head(training_id, report)));
        const data = {
          ...trainingView(doc, await waitingBefore(doc)),
          blueprint: blueprintView(blueprint, names?.get(owner!) ?? null),
          comparison,
          report: head && reportView(head),
        };
        return { body: { data } };
      },
    }),
    row({
      method: 'get',
      path: `${one}/report`,
      operation: 'getTrainingReport',
      summary: 'How well a training did, with all points of its backtest',
      tag,
      access: readAccess,
      params: schemas.oneParams,
      versioned: 'by_content',
      errors: { ...missing, 409: ['training_not_completed'], 410: ['report_not_kept'] },
      answers: { 200: { description: 'On folds that it did not see', schema: reportAnswer } },
      async run({ workspace, params: { training_id } }) {
        const doc = await found(deps, workspace, training_id);
        const { report, points } = doc;
        if (report === null || points === null) throw notCompleted(doc);
        const [head, all] = await kept(() =>
          Promise.all([files.head(training_id, report), files.points(training_id, points)]),
        );
        const backtest = { points: all.map(pointView) };
        return { body: { data: { training_id, ...reportView(head), backtest } } };
      },
    }),
    row({
      method: 'get',
      path: `${one}/logs`,
      operation: 'listTrainingLogs',
      summary: 'What was said while a training was done',
      tag,
      access: readAccess,
      params: schemas.oneParams,
      query: schemas.logsQuery,
      errors: missing,
      answers: { 200: { description: 'Oldest first', schema: schemas.logsAnswer } },
      async run({ workspace, params: { training_id }, query }) {
        const lines = await logOf(workspace, training_id);
        const { page, per_page: size } = query;
        const logs = lines
          .slice((page - 1) * size, page * size)
          .map(({ at, message }) => ({ at: iso(at), message }));
        return { body: { data: { logs, ...perPage(query, lines.length) } } };
      },
    }),
  ];
}
