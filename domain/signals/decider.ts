import type { Decider } from '../decider.js';
import { Rejected } from '../rejected.js';
import { ownSignal, recordable } from './aliases.js';
import type { RecordPoints, SignalCommand } from './commands.js';
import type { SignalFact } from './facts.js';
import { record } from './recording.js';
import { evolve, initialState, type LiveSignal, type SignalState } from './state.js';

function decide(command: SignalCommand, state: SignalState): readonly SignalFact[] {
  const { key } = command.data;
  ownSignal(key);
  switch (command.type) {
    case 'RecordPoints':
      recordable(key);
      return [...record(command, state), ...reported(command, state)];
    case 'AssignUnit': {
      const { unit } = command.data;
      return live(state).unit === unit ? [] : [{ type: 'SignalUnitAssigned', data: { key, unit } }];
    }
    case 'AssignGroup': {
      const { group } = command.data;
      return live(state).group === group ? [] : [{ type: 'SignalGroupAssigned', data: { key, group } }];
    }
    case 'NameSignal': {
      const { name } = command.data;
      return live(state).name === name ? [] : [{ type: 'SignalNamed', data: { key, name } }];
    }
    case 'DeleteSignal':
      live(state);
      return [{ type: 'SignalDeleted', data: { key } }];
  }
}

const live = (state: SignalState): LiveSignal => {
  if (state.status === 'live') return state;
  throw new Rejected('missing', 'not_found', 'Signal not found');
};

function reported({ data: { key, unit } }: RecordPoints, state: SignalState): readonly SignalFact[] {
  const known = state.status === 'live' ? state.reportedUnit : null;
  return unit === null || unit === known ? [] : [{ type: 'SignalUnitReported', data: { key, unit } }];
}

export const signals: Decider<SignalCommand, SignalFact, SignalState> = {
  category: 'signal',
  idOf: ({ data }) => `${data.workspace}.${data.key}`,
  initialState,
  decide,
  evolve,
};
