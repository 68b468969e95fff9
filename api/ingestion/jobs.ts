import { jobNotFound } from '../../domain/ingestion/polls/jobs.js';
import { iso } from '../../domain/time.js';
import type { JobDoc } from '../../projections/ingestion/poll-documents.js';
import { versionedTag } from '../edge/versions.js';
import type { IngestionDeps } from './deps.js';
import { scheduleView } from './schedules.js';
import { isoOrNull } from './source-views.js';

export async function foundJob({ polls }: IngestionDeps, workspace: string, jobId: string): Promise<JobDoc> {
  const job = await polls.job(workspace, jobId);
  if (!job) throw jobNotFound();
  return job;
}

export async function shownJob(deps: IngestionDeps, workspace: string, jobId: string) {
  const doc = await foundJob(deps, workspace, jobId);
  const data = await jobView(deps, doc);
  return { body: { data }, etag: versionedTag(doc.revision, data) };
}

export async function jobView({ queries }: IngestionDeps, doc: JobDoc) {
  const source = await queries.source(doc.workspace, doc.source_id);
  return {
    ...{ job_id: doc._id, source_id: doc.source_id, schedule: scheduleView(doc.schedule) },
    enabled: doc.enabled,
    next_run_at: source?.status === 'paused' ? null : isoOrNull(doc.next_run_at),
    last_execution_id: doc.last_execution_id,
    ...{ created_at: iso(doc.created_at), updated_at: iso(doc.updated_at) },
  };
}
