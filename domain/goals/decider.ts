import type { Decider } from '../decider.js';
import { mindVersion } from '../versions.js';
import type { ChangeChampion, ChangeGoal, GoalCommand } from './commands.js';
import type { GoalFact, HealthReason } from './facts.js';
import { reasonsAfter } from './health.js';
import { goalActive, goalNotFound, invalidState } from './refusals.js';
import {
  evolve,
  initialState,
  isOtherSeries,
  takesChampion,
  type GoalState,
  type LiveGoal,
} from './state.js';

type Facts = readonly GoalFact[];

/** What follows from facts and from time: of a goal that has gone nothing does. */
const FOLLOWS: ReadonlySet<string> = new Set<GoalCommand['type']>([
  ...(['NoteDiscovered', 'NoteCompeted', 'ChangeChampion', 'NoteHealth'] as const),
]);

function decide(command: GoalCommand, state: GoalState): Facts {
  const { goalId } = command.data;
  if (command.type === 'CreateGoal') {
    const { settings, owner, fleetId } = command.data;
    return state.status === 'none'
      ? [{ type: 'GoalCreated', data: { goalId, settings, owner, fleetId } }]
      : [];
  }
  if (state.status === 'none') {
    if (FOLLOWS.has(command.type)) return [];
    throw goalNotFound();
  }
  const { status } = state;
  switch (command.type) {
    case 'ChangeGoal':
      return changed(command, state);
    case 'ActivateGoal':
      if (!isNew(state)) throw invalidState(status, 'be activated');
      return [{ type: 'GoalActivated', data: { goalId, skipsDiscovery: command.data.skipsDiscovery } }];
    case 'PauseGoal':
      if (status !== 'active') throw invalidState(status, 'be paused');
      return [{ type: 'GoalPaused', data: { goalId, ...(command.data.byFleet && { byFleet: true }) } }];
    case 'ResumeGoal':
      if (status !== 'paused') throw invalidState(status, 'be resumed');
      if (state.activatedAt === null)
        throw invalidState(status, 'be resumed: it never was active, activate it');
      return [{ type: 'GoalResumed', data: { goalId } }];
    case 'ArchiveGoal':
      if (status !== 'active' && status !== 'paused' && status !== 'draft')
        throw invalidState(status, 'be archived');
      return [{ type: 'GoalArchived', data: { goalId } }];
    case 'RestoreGoal':
      if (status !== 'archived') throw invalidState(status, 'be restored');
      return [{ type: 'GoalRestored', data: { goalId } }];
    case 'DeleteGoal':
      checkSeen(command.data.seen, state);
      if (isInUse(state)) throw goalActive('deleting it');
      return [{ type: 'GoalDeleted', data: { goalId } }];
    case 'NoteDiscovered': {
      const { discoveryId, failed } = command.data;
      if (status !== 'discovering') return [];
      const fact: GoalFact = { type: 'GoalDiscovered', data: { goalId, discoveryId, failed } };
      return [fact, ...health(goalId, state, failed ? ['discovery_failed'] : [], [])];
    }
    case 'NoteCompeted': {
      const { champion, runnerUp } = command.data;
      if (status !== 'competing') return [];
      const ofFleet = state.fleetId === null ? {} : { fleetId: state.fleetId };
      const fact: GoalFact = {
        type: 'GoalWentActive',
        data: { goalId, champion, runnerUp, ...ofFleet },
      };
      return [fact, ...health(goalId, state, champion ? [] : ['no_champion'], [])];
    }
    case 'ChangeChampion':
      return championAfter(command, state);
    case 'NoteHealth':
      return health(goalId, state, command.data.add, command.data.remove);
  }
}

/** Never active, and not on its way there. */
const isNew = ({ status, activatedAt }: LiveGoal): boolean =>
  status === 'draft' || (status === 'paused' && activatedAt === null);

/** Something runs for it. */
const isInUse = ({ status }: LiveGoal): boolean =>
  status === 'discovering' || status === 'competing' || status === 'active';

function changed({ data }: ChangeGoal, state: LiveGoal): Facts {
  const { goalId, settings, seen } = data;
  checkSeen(seen, state);
  if (state.status === 'archived') throw invalidState(state.status, 'be changed');
  if (JSON.stringify(settings) === JSON.stringify(state.settings)) return [];
  const isOther = isOtherSeries(state.settings, settings);
  if (isInUse(state) && (isOther || settings.horizon !== state.settings.horizon))
    throw goalActive('changing target, step_s, timezone or horizon');
  const lost: readonly HealthReason[] = isOther && state.champion ? ['no_champion'] : [];
  return [{ type: 'GoalChanged', data: { goalId, settings } }, ...health(goalId, state, lost, [])];
}

function championAfter({ data }: ChangeChampion, state: LiveGoal): Facts {
  const { goalId, champion, runnerUp, by, reason } = data;
  if (!takesChampion(state)) return [];
  const isSame = (other: unknown, one: unknown) => JSON.stringify(other) === JSON.stringify(one);
  if (isSame(state.champion, champion) && isSame(state.runnerUp, runnerUp)) return [];
  return [
    { type: 'GoalChampionChanged', data: { goalId, champion, runnerUp, by, reason } },
    ...health(goalId, state, [], ['no_champion', 'champion_not_served']),
  ];
}

function health(
  goalId: string,
  { reasons: before }: LiveGoal,
  add: readonly HealthReason[],
  remove: readonly HealthReason[],
): Facts {
  const reasons = reasonsAfter(before, add, remove);
  const isSame = reasons.length === before.length && reasons.every(reason => before.includes(reason));
  return isSame ? [] : [{ type: 'GoalHealthChanged', data: { goalId, reasons } }];
}

function checkSeen(seen: number | null, { version }: LiveGoal): void {
  mindVersion('The goal', seen, version);
}

/** Of the journal, within its category. */
export const goalJournalId = (workspace: string, goalId: string): string => `${workspace}.${goalId}`;

/** Targets that are forecast on a cadence, and who forecasts them. */
export const goals: Decider<GoalCommand, GoalFact, GoalState> = {
  category: 'goal',
  idOf: ({ data: { workspace, goalId } }) => goalJournalId(workspace, goalId),
  initialState,
  decide,
  evolve,
};
