import type { Decider } from '../decider.js';
import type { Fact } from '../fact.js';
import { goalJournalId } from '../goals/decider.js';
import type { GoalFact } from '../goals/facts.js';
import { goalNotFound, invalidState } from '../goals/refusals.js';
import { mindVersion } from '../versions.js';
import { afterChecks, toldOf } from './checking.js';
import type { AcknowledgeAlert, AlertCommand, ResolveAlert, SnoozeAlert } from './commands.js';
import type { AlertFact } from './facts.js';
import { alertNotFound, instanceOver } from './refusals.js';
import { evolve, initialState, isStill, restedAt, type AlertJournal, type LiveAlert } from './state.js';

type Facts = readonly AlertFact[];

function decide(command: AlertCommand, state: AlertJournal): Facts {
  const { alertId } = command.data;
  if (command.type === 'CreateAlert') {
    const { goalId, settings, by } = command.data;
    if (state.status === 'live') return [];
    if (goalId !== null && state.isGone) throw goalNotFound();
    if (goalId !== null && state.isArchived) throw invalidState('archived', 'be given alerts');
    return [{ type: 'AlertCreated', data: { alertId, goalId, settings, by } }];
  }
  if (state.status === 'none') {
    if (command.type === 'CheckAlert' || command.type === 'RestAlert') return [];
    throw alertNotFound();
  }
  const of = { alertId, goalId: state.goalId };
  switch (command.type) {
    case 'ChangeAlert': {
      const { settings, seen } = command.data;
      checkSeen(seen, state);
      if (state.isArchived) throw invalidState('archived', 'have its alerts changed');
      const isSame = JSON.stringify(settings) === JSON.stringify(state.settings);
      return isSame ? [] : [{ type: 'AlertChanged', data: { ...of, settings } }];
    }
    case 'DeleteAlert':
      checkSeen(command.data.seen, state);
      return [{ type: 'AlertDeleted', data: of }];
    case 'TestAlert':
      return [{ type: 'AlertTested', data: { ...of, ...toldOf(state) } }];
    case 'CheckAlert':
      return afterChecks(command.data.checks, state, command.data);
    case 'RestAlert': {
      const { at } = command.data;
      const isOver = state.phase === 'resolved' && restedAt(state) <= at;
      return isOver && !isStill(state.settings, at) ? [{ type: 'AlertRested', data: of }] : [];
    }
    default:
      return ofInstance(command, state);
  }
}

/** What a person says of an instance that is not over. */
function ofInstance({ type, data }: AcknowledgeAlert | SnoozeAlert | ResolveAlert, state: LiveAlert): Facts {
  const { alertId, instanceId, by } = data;
  if (state.instance?.instanceId !== instanceId) throw instanceOver();
  const of = { alertId, goalId: state.goalId, instanceId };
  switch (type) {
    case 'AcknowledgeAlert':
      return state.phase === 'acknowledged' ? [] : [{ type: 'AlertAcknowledged', data: { ...of, by } }];
    case 'SnoozeAlert':
      return state.instance.snoozedUntil === data.until
        ? []
        : [{ type: 'AlertSnoozed', data: { ...of, by, until: data.until } }];
    case 'ResolveAlert':
      return [{ type: 'AlertResolved', data: { ...of, ...toldOf(state), by, evidence: state.evidence } }];
  }
}

function checkSeen(seen: number | null, { version }: LiveAlert): void {
  mindVersion('The alert', seen, version);
}

/** Of the journal, within its category. */
export const alertJournalId = (workspace: string, alertId: string): string => `${workspace}.${alertId}`;
const workspaceOf = (id: string): string => id.slice(0, id.indexOf('.'));

/** Rules that watch goals and workspaces; they follow the state of their goal. */
export const alerts: Decider<AlertCommand, AlertFact, AlertJournal> = {
  category: 'alert',
  idOf: ({ data: { workspace, alertId } }) => alertJournalId(workspace, alertId),
  initialState,
  decide,
  evolve: (state, fact) => evolve(state, fact as Fact<AlertFact | GoalFact>),
  within(state, id, command) {
    const goalId = state.status === 'live' ? state.goalId : goalOf(command);
    return goalId === null ? [] : [`goal-${goalJournalId(workspaceOf(id), goalId)}`];
  },
};

const goalOf = (command: AlertCommand | null): string | null =>
  command?.type === 'CreateAlert' ? command.data.goalId : null;
