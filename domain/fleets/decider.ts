import type { Decider } from '../decider.js';
import { mindVersion } from '../versions.js';
import type { ChangeFleet, FleetCommand, NoteFleetGoals } from './commands.js';
import type { FleetFact } from './facts.js';
import { fleetNotFound, invalidState } from './refusals.js';
import { evolve, initialState, isLive, statusOf, type FleetState, type LiveFleet } from './state.js';

type Facts = readonly FleetFact[];

/** What the work leads to: of a fleet that has gone nothing does. */
const FOLLOWS: ReadonlySet<string> = new Set<FleetCommand['type']>([
  ...(['PlanFleet', 'NoteFleetGoals', 'SettleFleet'] as const),
]);

function decide(command: FleetCommand, state: FleetState): Facts {
  const { fleetId } = command.data;
  if (command.type === 'CreateFleet') {
    const { settings, owner } = command.data;
    return isLive(state) ? [] : [{ type: 'FleetCreated', data: { fleetId, settings, owner } }];
  }
  if (!isLive(state)) {
    if (FOLLOWS.has(command.type)) return [];
    throw fleetNotFound();
  }
  const status = statusOf(state);
  switch (command.type) {
    case 'ChangeFleet':
      return changed(command, state);
    case 'SyncFleet': {
      const { by } = command.data;
      if (state.work === null && !state.paused)
        return [{ type: 'FleetSyncRequested', data: { fleetId, by } }];
      if (by === 'auto') return [];
      throw invalidState(status, 'be brought up to date');
    }
    case 'PauseFleet':
      if (status !== 'active' && status !== 'partial') throw invalidState(status, 'be paused');
      return [{ type: 'FleetPaused', data: { fleetId } }];
    case 'ResumeFleet':
      if (status !== 'paused') throw invalidState(status, 'be resumed');
      return [{ type: 'FleetResumed', data: { fleetId } }];
    case 'DeleteFleet':
      checkSeen(command.data.seen, state);
      return state.work === 'archive' ? [] : [{ type: 'FleetDeletionBegan', data: { fleetId } }];
    case 'PlanFleet': {
      if (state.work !== 'plan') return [];
      const { entities, beyond } = command.data;
      const planned: FleetFact = { type: 'FleetPlanned', data: { fleetId, entities, beyond } };
      return entities.length > 0 ? [planned] : [planned, { type: 'FleetSynced', data: { fleetId } }];
    }
    case 'NoteFleetGoals':
      return noted(command, state);
    case 'SettleFleet':
      if (state.work !== command.data.work) return [];
      return [{ type: state.work === 'archive' ? 'FleetDeleted' : 'FleetSettled', data: { fleetId } }];
  }
}

/** Other entities, or more of them, are looked for at once; while it rests, when it is brought up to date. */
function changed({ data: { fleetId, settings, seen } }: ChangeFleet, state: LiveFleet): Facts {
  checkSeen(seen, state);
  if (state.work === 'archive') throw invalidState(statusOf(state), 'be changed');
  const before = state.settings;
  if (isSame(settings, before)) return [];
  const isOther = !isSame(settings.entities, before.entities) || settings.maxGoals !== before.maxGoals;
  const fact: FleetFact = { type: 'FleetChanged', data: { fleetId, settings } };
  const isAtWork = state.work === 'pause' || state.work === 'resume' || state.paused;
  if (!isOther || isAtWork || state.work === 'plan') return [fact];
  return [fact, { type: 'FleetSyncRequested', data: { fleetId, by: 'change' } }];
}

/** Of entities that are still to get a goal alone. */
function noted({ data }: NoteFleetGoals, state: LiveFleet): Facts {
  if (state.work !== 'make') return [];
  const { fleetId } = data;
  const isOpen = ({ entity }: { readonly entity: string }) => state.todo.includes(entity);
  const [made, failed] = [data.made.filter(isOpen), data.failed.filter(isOpen)];
  if (made.length + failed.length === 0) return [];
  const fact: FleetFact = { type: 'FleetGoalsMade', data: { fleetId, made, failed } };
  const isThrough = made.length + failed.length === state.todo.length;
  return isThrough ? [fact, { type: 'FleetSynced', data: { fleetId } }] : [fact];
}

function checkSeen(seen: number | null, { version }: LiveFleet): void {
  mindVersion('The fleet', seen, version);
}

const isSame = (a: unknown, b: unknown): boolean => JSON.stringify(a) === JSON.stringify(b);

/** Of the journal, within its category. */
export const fleetJournalId = (workspace: string, fleetId: string): string => `${workspace}.${fleetId}`;

/** Goals of the same kind, one for each entity of a base. */
export const fleets: Decider<FleetCommand, FleetFact, FleetState> = {
  category: 'fleet',
  idOf: ({ data: { workspace, fleetId } }) => fleetJournalId(workspace, fleetId),
  initialState,
  decide,
  evolve,
};
