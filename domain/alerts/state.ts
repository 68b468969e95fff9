import type { Fact } from '../fact.js';
import type { GoalFact } from '../goals/facts.js';
import { SECOND } from '../time.js';
import type { AlertFact, Evidence } from './facts.js';
import type { AlertSettings, AlertSeverity } from './kinds.js';

/** Where the table of states has it; what it is shown as is `stateOf`. */
export type Phase = 'normal' | 'pending' | 'firing' | 'acknowledged' | 'resolved';
export const ALERT_STATES = [
  ...(['normal', 'pending', 'firing', 'acknowledged', 'resolved', 'no_data', 'error', 'muted'] as const),
] as const;
export type AlertState = (typeof ALERT_STATES)[number];

/** What fires, until it is resolved. Times are epoch ms. */
export type OpenInstance = {
  readonly instanceId: string;
  readonly severity: AlertSeverity;
  readonly toldAt: number;
  readonly snoozedUntil: number | null;
  /** The check that found it over; null: the last one did not. */
  readonly eased: string | null;
};
export type LiveAlert = {
  readonly status: 'live';
  readonly goalId: string | null;
  /** Its goal is active, or it has none. */
  readonly isAwake: boolean;
  /** Its goal is archived; absent: it is not. */
  readonly isArchived?: boolean;
  readonly settings: AlertSettings;
  readonly by: string;
  /** What people changed, counted from 1. */
  readonly version: number;
  readonly phase: Phase;
  /** When it came to its phase, and since when it is checked without a break, epoch ms. */
  readonly since: number;
  readonly awakeSince: number;
  readonly instance: OpenInstance | null;
  /** Position of the last fact that was looked at and led to something; -1: of none. */
  readonly seen: number;
  /** Of the newest instances, by which a check that is seen again is known. */
  readonly instanceIds: readonly string[];
  readonly evidence: Evidence | null;
  readonly lacksData: boolean;
  readonly error: { readonly code: string; readonly message: string } | null;
};
/** Before it is made: whether the goal that it is to be of is active, archived, and whether that has gone. */
type NoAlert = {
  readonly status: 'none';
  readonly isAwake: boolean;
  readonly isArchived?: boolean;
  readonly isGone: boolean;
};
export type AlertJournal = NoAlert | LiveAlert;
export const initialState: NoAlert = { status: 'none', isAwake: true, isGone: false };

/** So many ids of instances are remembered. */
const REMEMBERED = 50;

/** Facts of the rule itself, and those of its goal among them. */
export function evolve(state: AlertJournal, fact: Fact<AlertFact | GoalFact>): AlertJournal {
  if (fact.type.startsWith('Goal')) return afterGoal(state, fact as Fact<GoalFact>);
  const own = fact as Fact<AlertFact>;
  if (own.type === 'AlertCreated') {
    const { goalId, settings, by } = own.data;
    return {
      ...{ status: 'live', goalId, isAwake: goalId === null || state.isAwake, settings, by, version: 1 },
      ...{ phase: 'normal', since: own.at, awakeSince: own.at, instance: null, instanceIds: [] },
      ...{ evidence: null, lacksData: false, error: null, seen: -1 },
      ...(state.isArchived === true && { isArchived: true }),
    };
  }
  if (state.status === 'none') return state;
  if (own.type === 'AlertDeleted') return initialState;
  const { upTo = -1 } = own.data;
  return { ...state, ...changed(state, own), seen: Math.max(state.seen, upTo) };
}

type Later = Exclude<Fact<AlertFact>, { readonly type: 'AlertCreated' | 'AlertDeleted' }>;

function changed(state: LiveAlert, fact: Later): Partial<LiveAlert> {
  const { at } = fact;
  const open = (change: Partial<OpenInstance>): Partial<LiveAlert> => ({
    instance: state.instance && { ...state.instance, ...change },
  });
  switch (fact.type) {
    case 'AlertChanged': {
      const { settings } = fact.data;
      const wakes = isStill(state.settings, at) && !isStill(settings, at);
      return { settings, version: state.version + 1, ...(wakes && { awakeSince: at }) };
    }
    case 'AlertPended':
      return { phase: 'pending', since: at, evidence: fact.data.evidence };
    case 'AlertCalmed':
    case 'AlertRested':
      return { phase: 'normal', since: at };
    case 'AlertFired': {
      const { instanceId, severity, evidence } = fact.data;
      return {
        ...{ phase: 'firing', since: at, evidence },
        instance: { instanceId, severity, toldAt: at, snoozedUntil: null, eased: null },
        instanceIds: [...state.instanceIds, instanceId].slice(-REMEMBERED),
      };
    }
    case 'AlertRepeated':
      return { ...open({ toldAt: at, snoozedUntil: null }), evidence: fact.data.evidence };
    case 'AlertEased':
      return open({ eased: fact.data.check });
    case 'AlertWentOn':
      return open({ eased: null });
    case 'AlertAcknowledged':
      return { phase: 'acknowledged', since: at };
    case 'AlertSnoozed':
      return open({ snoozedUntil: fact.data.until });
    case 'AlertResolved':
      return { phase: 'resolved', since: at, instance: null, evidence: fact.data.evidence };
    case 'AlertLostData':
      return { lacksData: true };
    case 'AlertRegainedData':
      return { lacksData: false };
    case 'AlertCheckFailed':
      return { error: { code: fact.data.code, message: fact.data.message } };
    case 'AlertCheckRecovered':
      return { error: null };
    case 'AlertTested':
      return {};
  }
}

/** A goal that is not active has no alerts; with the goal its rules go. */
function afterGoal(state: AlertJournal, { type, at }: Fact<GoalFact>): AlertJournal {
  const awake = (isAwake: boolean): AlertJournal =>
    state.status === 'none'
      ? { ...state, isAwake }
      : { ...state, isAwake, awakeSince: isAwake ? at : state.awakeSince };
  switch (type) {
    case 'GoalWentActive':
    case 'GoalResumed':
      return awake(true);
    case 'GoalCreated':
    case 'GoalPaused':
      return awake(false);
    case 'GoalArchived':
    case 'GoalRestored':
      return { ...awake(false), isArchived: type === 'GoalArchived' };
    case 'GoalDeleted':
      return { status: 'none', isAwake: false, isGone: true };
    default:
      return state;
  }
}

export const isMuted = ({ muteUntil }: AlertSettings, now: number): boolean =>
  muteUntil !== null && muteUntil > now;
/** Nothing is checked. */
export const isStill = (settings: AlertSettings, now: number): boolean =>
  !settings.enabled || isMuted(settings, now);

/** When a cooldown ends, epoch ms. */
export const restedAt = ({ since, settings }: LiveAlert): number => since + settings.cooldownS * SECOND;

/** Since when it is checked without a break, also where a time of muting has run out. */
export const awakeFrom = ({ awakeSince, settings: { muteUntil } }: LiveAlert, now: number): number =>
  muteUntil !== null && muteUntil <= now ? Math.max(awakeSince, muteUntil) : awakeSince;

/** What it is shown as. */
export function stateOf(alert: LiveAlert, now: number): AlertState {
  if (isMuted(alert.settings, now)) return 'muted';
  if (alert.error) return 'error';
  if (alert.lacksData) return 'no_data';
  return alert.phase === 'resolved' && restedAt(alert) <= now ? 'normal' : alert.phase;
}
