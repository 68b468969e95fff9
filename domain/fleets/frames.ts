import type { Fact } from '../fact.js';
import { inWorkspace, type Frames, type Tells } from '../realtime/frame.js';
import type { FleetFact } from './facts.js';
import type { FleetStatus } from './state.js';

/** How a fleet stands, as read models show it; null: it is not there. */
export type FleetStanding = (
  workspace: string,
  fleetId: string,
) => Promise<{ readonly status: FleetStatus; readonly progress: number } | null>;

const told = [
  ...(['FleetCreated', 'FleetChanged', 'FleetSyncRequested', 'FleetPlanned', 'FleetGoalsMade'] as const),
  ...(['FleetSynced', 'FleetPaused', 'FleetResumed', 'FleetSettled', 'FleetDeletionBegan'] as const),
  'FleetDeleted',
] as const satisfies readonly FleetFact['type'][];

/** What is told of fleets. */
export function fleetFrames(standing: FleetStanding): Frames {
  const updated: Tells = {
    event: 'fleet.updated',
    channels: inWorkspace,
    async data({ data: { fleetId }, meta }: Fact<FleetFact>) {
      const found = await standing(meta.workspace!, fleetId);
      return { fleet_id: fleetId, status: found?.status ?? 'deleted', progress: found?.progress ?? 1 };
    },
  };
  return Object.fromEntries(told.map(type => [type, updated]));
}
