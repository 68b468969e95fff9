import type { Fact } from '../fact.js';
import type { Failed, FleetFact, Made } from './facts.js';
import type { FleetSettings } from './settings.js';

export const FLEET_STATUSES = ['creating', 'active', 'partial', 'syncing', 'paused', 'deleting'] as const;
export type FleetStatus = (typeof FLEET_STATUSES)[number];

/** What is being done for its goals. `plan`: entities are looked for. */
export type FleetWork = 'plan' | 'make' | 'pause' | 'resume' | 'archive';

export type LiveFleet = {
  readonly settings: FleetSettings;
  readonly owner: string;
  /** What people changed, counted from 1. */
  readonly version: number;
  /** Null: nothing is. */
  readonly work: FleetWork | null;
  readonly paused: boolean;
  /** Its first goals are all made. */
  readonly begun: boolean;
  readonly made: readonly Made[];
  /** Of the last time that goals were made. */
  readonly failed: readonly Failed[];
  /** Entities that are still to get a goal, of so many. */
  readonly todo: readonly string[];
  readonly planned: number;
  readonly beyond: number;
};
export type FleetState = { readonly work: 'none' } | LiveFleet;
export const initialState: FleetState = { work: 'none' };

export const isLive = (state: FleetState): state is LiveFleet => state.work !== 'none';

export function statusOf({ work, paused, begun, failed, beyond }: LiveFleet): FleetStatus {
  if (work === 'archive') return 'deleting';
  if (work === 'plan' || work === 'make') return begun ? 'syncing' : 'creating';
  if (paused) return 'paused';
  return failed.length > 0 || beyond > 0 ? 'partial' : 'active';
}

export function evolve(state: FleetState, fact: Fact<FleetFact>): FleetState {
  if (fact.type === 'FleetCreated') {
    const { settings, owner } = fact.data;
    return {
      ...{ settings, owner, version: 1, work: 'plan', paused: false, begun: false },
      ...{ made: [], failed: [], todo: [], planned: 0, beyond: 0 },
    };
  }
  if (!isLive(state)) return state;
  if (fact.type === 'FleetDeleted') return initialState;
  return { ...state, ...changed(state, fact) };
}

type Later = Exclude<Fact<FleetFact>, { readonly type: 'FleetCreated' | 'FleetDeleted' }>;

function changed(state: LiveFleet, fact: Later): Partial<LiveFleet> {
  switch (fact.type) {
    case 'FleetChanged':
      return { settings: fact.data.settings, version: state.version + 1 };
    case 'FleetSyncRequested':
      return { work: 'plan' };
    case 'FleetPlanned': {
      const { entities, beyond } = fact.data;
      return { work: 'make', todo: entities, planned: entities.length, failed: [], beyond };
    }
    case 'FleetGoalsMade':
      return afterMaking(state, fact.data);
    case 'FleetSynced':
      return { work: null, begun: true };
    case 'FleetPaused':
      return { paused: true, work: 'pause' };
    case 'FleetResumed':
      return { paused: false, work: 'resume' };
    case 'FleetSettled':
      return { work: null };
    case 'FleetDeletionBegan':
      return { work: 'archive' };
  }
}

type Outcome = { readonly made: readonly Made[]; readonly failed: readonly Failed[] };

function afterMaking(state: LiveFleet, { made, failed }: Outcome): Partial<LiveFleet> {
  const through = new Set([...made, ...failed].map(({ entity }) => entity));
  return {
    made: [...state.made, ...made],
    failed: [...state.failed, ...failed],
    todo: state.todo.filter(entity => !through.has(entity)),
  };
}
