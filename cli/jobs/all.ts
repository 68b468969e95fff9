/** What a platform does for an operator, by name; each is loaded when it is asked for. */
export const jobs = {
  audit: async () => (await import('./audit.js')).auditJob,
  billing: async () => (await import('./billing.js')).billingJob,
  bootstrap: async () => (await import('./bootstrap.js')).bootstrapJob,
  doctor: async () => (await import('./doctor.js')).doctorJob,
  marketplace: async () => (await import('./marketplace.js')).marketplaceJob,
  model: async () => (await import('./models.js')).modelJob,
  operate: async () => (await import('./operate.js')).operateJob,
  reactors: async () => (await import('./reactors.js')).reactorsJob,
  replay: async () => (await import('./replay.js')).replayJob,
  rescore: async () => (await import('./rescore.js')).rescoreJob,
};
export type JobName = keyof typeof jobs;
