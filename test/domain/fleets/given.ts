import type { FleetSettings } from '../../../domain/fleets/settings.js';
import { settings as ofGoal } from '../goals/given.js';

const { name: _, target: __, ...template } = ofGoal();

/** A fleet's settings where a test does not say. */
export const fleetSettings = (over: Partial<FleetSettings> = {}): FleetSettings => ({
  ...{ name: 'Stores', baseKey: 'sales', entities: 'all' },
  template: { ...template, name: null, skipsDiscovery: true },
  ...{ reconciliation: { method: 'none', levels: [] }, sharedPipeline: false, maxGoals: 3, autoSync: true },
  ...over,
});
