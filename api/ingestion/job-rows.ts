import { contextOf } from '../edge/context.js';
import { dryQuery, goneOr, wouldBe } from '../edge/dry-run.js';
import { notValid } from '../edge/errors.js';
import { MOST, mindMost } from '../edge/most.js';
import { perPage } from '../edge/paging.js';
import { row, type Row } from '../edge/row.js';
import { versionIn } from '../edge/versions.js';
import { foundSource, mindJobs, reads, tag, writes, type IngestionDeps } from './deps.js';
import * as schemas from './poll-schemas.js';
import { foundJob, jobView, shownJob } from './jobs.js';
import { runRow } from './run-row.js';
import { scheduleOf } from './schedules.js';

const path = '/v1/ingestion/jobs';
const one = `${path}/{job_id}`;
const changes = { tag, access: writes, leastRole: 'operator' } as const;

/** When sources are asked. */
export const jobRows = (deps: IngestionDeps): Row[] => [
  listRow(deps),
  makeRow(deps),
  readRow(deps),
  changeRow(deps),
  deleteRow(deps),
  runRow(deps),
];

const listRow = (deps: IngestionDeps): Row =>
  row({
    method: 'get',
    path,
    operation: 'listJobs',
    summary: 'When sources are asked',
    tag,
    access: reads,
    query: schemas.jobsQuery,
    answers: { 200: { description: 'Newest first', schema: schemas.jobsAnswer } },
    async run({ workspace, query }) {
      const { page, per_page: limit, source_id = null } = query;
      const paging = { limit, offset: (page - 1) * limit };
      const { items, total } = await deps.polls.jobs(workspace, source_id, paging);
      const jobs = await Promise.all(items.map(doc => jobView(deps, doc)));
      return { body: { data: { jobs, ...perPage(query, total) } } };
    },
  });

const makeRow = (deps: IngestionDeps): Row =>
  row({
    ...changes,
    method: 'post',
    path,
    operation: 'createJob',
    summary: 'Have a source asked by one more schedule',
    body: schemas.jobBody,
    errors: { 403: MOST, 404: ['not_found'] },
    answers: { 201: { description: 'It is there', schema: schemas.jobAnswer } },
    async run(call) {
      const { workspace, body } = call;
      const source = await foundSource(deps, workspace, body.source_id);
      if (source.mode !== 'poll')
        throw notValid([
          { loc: ['body', 'source_id'], msg: 'must be a source that is polled', type: 'source' },
        ]);
      await mindJobs(deps, workspace);
      const used = await deps.polls.jobCount({ source_id: source._id });
      mindMost('A source', 'jobs', used, deps.most.jobsOfSource);
      const { schedule, enabled = true } = body;
      const context = contextOf(call, deps.clock());
      const made = await deps.jobs.create(workspace, source._id, scheduleOf(schedule), enabled, context);
      await deps.visible(made.position);
      return { status: 201, ...(await shownJob(deps, workspace, made.jobId)) };
    },
  });

const readRow = (deps: IngestionDeps): Row =>
  row({
    method: 'get',
    path: one,
    operation: 'getJob',
    summary: 'One job',
    tag,
    access: reads,
    params: schemas.jobParams,
    versioned: true,
    errors: { 404: ['not_found'] },
    answers: { 200: { description: 'The job', schema: schemas.jobAnswer } },
    run: ({ workspace, params }) => shownJob(deps, workspace, params.job_id),
  });

const changeRow = (deps: IngestionDeps): Row =>
  row({
    ...changes,
    method: 'patch',
    path: one,
    operation: 'changeJob',
    summary: 'Change its schedule, or whether it runs by itself',
    params: schemas.jobParams,
    body: schemas.jobPatchBody,
    versioned: true,
    errors: { 404: ['not_found'], 409: ['version_conflict'] },
    answers: { 200: { description: 'As it is now', schema: schemas.jobAnswer } },
    async run(call) {
      const { workspace, params, body, ifMatch } = call;
      const { _id: jobId } = await foundJob(deps, workspace, params.job_id);
      const data = {
        ...{ workspace, jobId, seen: versionIn(ifMatch) },
        ...(body.schedule && { schedule: scheduleOf(body.schedule) }),
        ...(body.enabled !== undefined && { enabled: body.enabled }),
      };
      const { position } = await deps.jobs.change(data, contextOf(call, deps.clock()));
      await deps.visible(position);
      return shownJob(deps, workspace, jobId);
    },
  });

const deleteRow = (deps: IngestionDeps): Row =>
  row({
    ...changes,
    method: 'delete',
    path: one,
    operation: 'deleteJob',
    summary: 'Delete a job; its source and its runs stay',
    params: schemas.jobParams,
    query: dryQuery,
    versioned: true,
    errors: { 404: ['not_found'], 409: ['version_conflict'] },
    answers: {
      200: { description: 'It is no longer there', schema: goneOr({ job_id: { type: 'string' } }) },
    },
    async run(call) {
      const { workspace, params, query, ifMatch } = call;
      const { _id: jobId } = await foundJob(deps, workspace, params.job_id);
      const data = { workspace, jobId, seen: versionIn(ifMatch) };
      const { jobs: by } = query.dry_run ? deps.dry : deps;
      const { position } = await by.remove(data, contextOf(call, deps.clock()));
      if (query.dry_run) return wouldBe({ job_id: jobId });
      await deps.visible(position);
      return { body: { status: 'deleted' } };
    },
  });
