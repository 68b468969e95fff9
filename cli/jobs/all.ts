import { auditJob } from './audit.js';
import { bootstrapJob } from './bootstrap.js';
import { doctorJob } from './doctor.js';
import { operateJob } from './operate.js';
import { replayJob } from './replay.js';

/** What a platform does for an operator, by name. */
export const jobs = { audit: auditJob, bootstrap: bootstrapJob, doctor: doctorJob, operate: operateJob, replay: replayJob };
export type JobName = keyof typeof jobs;
