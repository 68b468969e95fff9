import { Rejected } from '../rejected.js';
import type { FleetStatus } from './state.js';

export const fleetNotFound = (): Rejected => new Rejected('missing', 'not_found', 'Fleet not found');

export const versionConflict = (version: number): Rejected =>
  new Rejected('conflict', 'version_conflict', `The fleet is at version ${version}`, { version });

/** `what`: the rest of a sentence, `be paused`. */
export const invalidState = (status: FleetStatus, what: string): Rejected =>
  new Rejected('conflict', 'invalid_state', `A fleet that is ${status} cannot ${what}`, { status });
