import { Rejected } from '../rejected.js';

export const revisionNotFound = (revisionId: string): Rejected =>
  new Rejected('missing', 'not_found', `There is no revision ${revisionId}`, { revision_id: revisionId });
