import { auditJob } from './audit.js';
import { billingJob } from './billing.js';
import { bootstrapJob } from './bootstrap.js';
import { doctorJob } from './doctor.js';
import { marketplaceJob } from './marketplace.js';
import { modelJob } from './models.js';
import { operateJob } from './operate.js';
import { reactorsJob } from './reactors.js';
import { replayJob } from './replay.js';
import { rescoreJob } from './rescore.js';

/** What a platform does for an operator, by name. */
export const jobs = {
  audit: auditJob,
  billing: billingJob,
  bootstrap: bootstrapJob,
  doctor: doctorJob,
  marketplace: marketplaceJob,
  model: modelJob,
  operate: operateJob,
  reactors: reactorsJob,
  replay: replayJob,
  rescore: rescoreJob,
};
export type JobName = keyof typeof jobs;
