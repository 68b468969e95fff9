import type { Decider } from '../decider.js';
import type { DiscoveryCommand } from './commands.js';
import type { DiscoveryFact, TestedSource } from './facts.js';
import { discoveryNotFound, invalidState } from './refusals.js';
import { evolve, initialState, isOpen, type DiscoveryState, type KnownDiscovery } from './state.js';

/** What was done already, or comes once it is over, changes nothing. */
function decide(command: DiscoveryCommand, state: DiscoveryState): readonly DiscoveryFact[] {
  if (command.type === 'StartDiscovery') {
    const { workspace: _, ...data } = command.data;
    return state.status === 'none' ? [{ type: 'DiscoveryStarted', data }] : [];
  }
  if (state.status === 'none') throw discoveryNotFound(command.data.discoveryId);
  const isRunning = state.status === 'running';
  switch (command.type) {
    case 'BeginDiscovery': {
      const { workspace: _, ...data } = command.data;
      return state.status === 'queued' ? [{ type: 'DiscoveryBegan', data }] : [];
    }
    case 'NoteGathered': {
      const { workspace: _, ...data } = command.data;
      return isRunning && !state.gathered ? [{ type: 'DiscoveryGathered', data }] : [];
    }
    case 'NoteTested': {
      const { workspace: _, ...data } = command.data;
      return isRunning && !state.tested ? [{ type: 'DiscoveryTested', data }] : [];
    }
    case 'CompleteDiscovery': {
      if (!isRunning || !state.tested) return [];
      const counts = countsOf(state.tested.results);
      return [{ type: 'DiscoveryCompleted', data: { ...ofGoal(state), ...counts } }];
    }
    case 'FailDiscovery': {
      const { code, message } = command.data;
      return isOpen(state.status)
        ? [{ type: 'DiscoveryFailed', data: { ...ofGoal(state), code, message } }]
        : [];
    }
    case 'CancelDiscovery':
      if (!isOpen(state.status)) throw invalidState(state.status, 'there is nothing left to cancel');
      return [{ type: 'DiscoveryCancelled', data: ofGoal(state) }];
  }
}

const ofGoal = ({ started: { discoveryId, goalId, trigger, kind } }: KnownDiscovery) => ({
  ...{ discoveryId, goalId, trigger, kind },
});

/** Of what was tested, how much moves the target and how much does not. */
export function countsOf(results: readonly TestedSource[]) {
  const tested = results.filter(({ verdict }) => verdict !== 'untested');
  const rejected = tested.filter(({ verdict }) => verdict === 'rejected').length;
  return { tested: tested.length, found: tested.length - rejected, rejected };
}

/** Of the journal, within its category. */
export const discoveryJournalId = (workspace: string, discoveryId: string): string =>
  `${workspace}.${discoveryId}`;

/** A search for what moves a goal's target, from its being asked for to its end. */
export const discoveries: Decider<DiscoveryCommand, DiscoveryFact, DiscoveryState> = {
  category: 'discovery',
  idOf: ({ data }) => discoveryJournalId(data.workspace, data.discoveryId),
  initialState,
  decide,
  evolve,
};
