import { Rejected } from '../rejected.js';
import type { FleetStatus } from './state.js';

export const fleetNotFound = (): Rejected => new Rejected('missing', 'not_found', 'Fleet not found');

/** `what`: the rest of a sentence, `be paused`. */
export const invalidState = (status: FleetStatus, what: string): Rejected =>
  new Rejected('conflict', 'invalid_state', `A fleet that is ${status} cannot ${what}`, { status });
