import type { Decider } from '../decider.js';
import { Rejected } from '../rejected.js';
import { ownSignal } from './aliases.js';
import type { RecordPoints, SignalCommand } from './commands.js';
import type { SignalFact } from './facts.js';
import { record } from './recording.js';
import { evolve, initialState, type LiveSignal, type SignalState } from './state.js';

function decide(command: SignalCommand, state: SignalState): readonly SignalFact[] {
  const { key } = command.data;
  ownSignal(key);
  switch (command.type) {
    case 'RecordPoints':
      return [...record(command, state), ...reported(command, state)];
    case 'AssignUnit':
      return live(state).unit === command.data.unit
        ? []
        : [{ type: 'SignalUnitAssigned', data: { key, unit: command.data.unit } }];
    case 'AssignGroup':
      return live(state).group === command.data.group
        ? []
        : [{ type: 'SignalGroupAssigned', data: { key, group: command.data.group } }];
    case 'NameSignal':
      return live(state).name === command.data.name
        ? []
        : [{ type: 'SignalNamed', data: { key, name: command.data.name } }];
    case 'DeleteSignal':
      live(state);
      return [{ type: 'SignalDeleted', data: { key } }];
  }
}

const live = (state: SignalState): LiveSignal => {
  if (state.status === 'live') return state;
  throw new Rejected('missing', 'not_found', 'Signal not found');
};

const reported = ({ data: { key, unit } }: RecordPoints, state: SignalState): readonly SignalFact[] =>
  unit === null || (state.status === 'live' && state.reportedUnit === unit)
    ? []
    : [{ type: 'SignalUnitReported', data: { key, unit } }];

export const signals: Decider<SignalCommand, SignalFact, SignalState> = {
  category: 'signal',
  idOf: ({ data }) => `${data.workspace}.${data.key}`,
  initialState,
  decide,
  evolve,
};
