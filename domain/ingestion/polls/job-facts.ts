import type { Message } from '../../fact.js';
import type { Schedule } from '../../schedules.js';

type OfJob = { readonly workspace: string; readonly jobId: string; readonly sourceId: string };

/** A source is asked by a schedule; not while it is not `enabled`. */
export type JobCreated = Message<
  'JobCreated',
  OfJob & { readonly schedule: Schedule; readonly enabled: boolean }
>;
/** All of it as it is now. */
export type JobChanged = Message<
  'JobChanged',
  OfJob & { readonly schedule: Schedule; readonly enabled: boolean }
>;
export type JobDeleted = Message<'JobDeleted', OfJob>;
export type JobFact = JobCreated | JobChanged | JobDeleted;

type Named = Omit<OfJob, 'sourceId'>;
/** One that is, or was there, stays as it is. */
export type CreateJob = Message<'CreateJob', JobCreated['data']>;
/** What is absent stays. `seen`: the version the caller saw; null: whichever it is. */
export type ChangeJob = Message<
  'ChangeJob',
  Named & { readonly schedule?: Schedule; readonly enabled?: boolean; readonly seen: number | null }
>;
export type DeleteJob = Message<'DeleteJob', Named & { readonly seen: number | null }>;
export type JobCommand = CreateJob | ChangeJob | DeleteJob;
