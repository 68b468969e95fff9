/** Settings of a new organization. */
export const ORGANIZATION = { require2fa: false, allowedEmailDomains: [], tokenMaxAgeDays: null } as const;

/** Settings of a new workspace. */
export const WORKSPACE = {
  timezone: 'UTC',
  domainTerms: [],
  retention: { signalsDays: null, eventsDays: null, rawDays: null },
} as const;
