/** What a process does of all that a platform does. */
export const processRoles = ['api', 'projections', 'workers', 'serving', 'training'] as const;
export type ProcessRole = (typeof processRoles)[number];
