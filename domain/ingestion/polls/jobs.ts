import type { Decider } from '../../decider.js';
import type { Fact } from '../../fact.js';
import { Rejected } from '../../rejected.js';
import type { Schedule } from '../../schedules.js';
import { mindVersion } from '../../versions.js';
import type { ChangeJob, JobCommand, JobFact } from './job-facts.js';

export type Job = {
  readonly sourceId: string;
  readonly schedule: Schedule;
  readonly enabled: boolean;
  /** Of its journal, at its last fact. */
  readonly revision: number;
};
/** `wasThere`: it was made once; null: it is not there yet, or no longer. */
export type JobState = { readonly wasThere: boolean; readonly job: Job | null };

export const jobNotFound = (): Rejected => new Rejected('missing', 'not_found', 'Job not found');

const FIRST_INTERVAL = 300;

/** Seconds between two runs of the job that a source begins with, as its config says. */
export const intervalIn = (config: Readonly<Record<string, unknown>>): number =>
  typeof config['interval_seconds'] === 'number' ? config['interval_seconds'] : FIRST_INTERVAL;

/** The first job of a source, which is made with it. */
export const firstJobOf = (sourceId: string): string => `job_${sourceId.replace(/^src_/, '')}`;

function decide(command: JobCommand, { wasThere, job }: JobState): readonly JobFact[] {
  if (command.type === 'CreateJob') return wasThere ? [] : [{ type: 'JobCreated', data: command.data }];
  if (!job) throw jobNotFound();
  const { workspace, jobId, seen } = command.data;
  const { sourceId } = job;
  mindVersion('The job', seen, job.revision);
  if (command.type === 'DeleteJob') return [{ type: 'JobDeleted', data: { workspace, jobId, sourceId } }];
  return changed(command, job);
}

function changed({ data }: ChangeJob, job: Job): readonly JobFact[] {
  const { workspace, jobId, schedule = job.schedule, enabled = job.enabled } = data;
  const isSame = enabled === job.enabled && JSON.stringify(schedule) === JSON.stringify(job.schedule);
  const now = { workspace, jobId, sourceId: job.sourceId, schedule, enabled };
  return isSame ? [] : [{ type: 'JobChanged', data: now }];
}

function evolve(_: JobState, { type, data, revision }: Fact<JobFact>): JobState {
  if (type === 'JobDeleted') return { wasThere: true, job: null };
  const { sourceId, schedule, enabled } = data;
  return { wasThere: true, job: { sourceId, schedule, enabled, revision } };
}

/** When a source is asked. */
export const jobs: Decider<JobCommand, JobFact, JobState> = {
  category: 'ingestion_job',
  idOf: ({ data: { workspace, jobId } }) => `${workspace}.${jobId}`,
  initialState: { wasThere: false, job: null },
  decide,
  evolve,
};
