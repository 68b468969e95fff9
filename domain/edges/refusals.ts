import type { EdgeStatus } from '../goals/ports.js';
import { Rejected } from '../rejected.js';

export const edgeNotFound = (edgeId: string): Rejected =>
  new Rejected('missing', 'not_found', `There is no edge ${edgeId}`, { edge_id: edgeId });

/** `what`: the rest of a sentence, `be unblocked`. */
export const invalidState = (status: EdgeStatus, what: string): Rejected =>
  new Rejected('conflict', 'invalid_state', `An edge that is ${status} cannot ${what}`, { status });
