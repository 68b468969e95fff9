import { Rejected } from '../rejected.js';
import type { DiscoveryStatus } from './state.js';

export const discoveryNotFound = (discoveryId: string): Rejected =>
  new Rejected('missing', 'not_found', `There is no discovery ${discoveryId}`, { discovery_id: discoveryId });

export const discoveryRunning = (most: number): Rejected =>
  new Rejected('conflict', 'discovery_running', `${most} discoveries of this goal are not over`, { most });

export const invalidState = (status: DiscoveryStatus, does: string): Rejected =>
  new Rejected('conflict', 'invalid_state', `The discovery is ${status}: ${does}`, { status });
