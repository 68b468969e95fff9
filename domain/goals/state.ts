import type { Fact } from '../fact.js';
import type { GoalChanged, GoalFact, HealthReason } from './facts.js';
import type { Champion } from './model.js';
import type { GoalMetric, GoalSettings } from './settings.js';
import { isSameStep } from './steps.js';

export const GOAL_STATUSES = [
  ...(['draft', 'discovering', 'competing', 'active', 'paused', 'archived'] as const),
] as const;
export type GoalStatus = (typeof GOAL_STATUSES)[number];

export type LiveGoal = {
  readonly status: GoalStatus;
  readonly settings: GoalSettings;
  readonly owner: string;
  readonly fleetId: string | null;
  /** What people changed, counted from 1. */
  readonly version: number;
  /** Null: it is served by falling back alone. */
  readonly champion: Champion | null;
  readonly runnerUp: Champion | null;
  /** The metric of their scores; absent: the goal's. */
  readonly judgedIn?: GoalMetric;
  /** What is wrong with it, in the order of `HEALTH_REASONS`. */
  readonly reasons: readonly HealthReason[];
  /** Its fleet paused it; absent: it did not. */
  readonly pausedByFleet?: boolean;
  /** When it became active first, epoch ms; null: it never was. */
  readonly activatedAt: number | null;
};
export type GoalState = { readonly status: 'none' } | LiveGoal;
export const initialState: GoalState = { status: 'none' };

export function evolve(state: GoalState, fact: Fact<GoalFact>): GoalState {
  if (fact.type === 'GoalCreated') {
    const { settings, owner, fleetId } = fact.data;
    return {
      ...{ status: 'draft', settings, owner, fleetId, version: 1 },
      ...{ champion: null, runnerUp: null, reasons: [], activatedAt: null },
    };
  }
  if (state.status === 'none') return state;
  if (fact.type === 'GoalDeleted') return initialState;
  return { ...state, ...changed(state, fact) };
}

type Later = Exclude<Fact<GoalFact>, { readonly type: 'GoalCreated' | 'GoalDeleted' }>;

function changed(state: LiveGoal, fact: Later): Partial<LiveGoal> {
  switch (fact.type) {
    case 'GoalChanged':
      return afterChange(state, fact);
    case 'GoalActivated':
      return { status: fact.data.skipsDiscovery ? 'competing' : 'discovering' };
    case 'GoalDiscovered':
      return { status: 'competing' };
    case 'GoalWentActive': {
      const { champion, runnerUp } = fact.data;
      const { activatedAt, settings } = state;
      return {
        ...{ status: 'active', champion, runnerUp, judgedIn: settings.metric },
        activatedAt: activatedAt ?? fact.at,
      };
    }
    case 'GoalChampionChanged': {
      const { champion, runnerUp } = fact.data;
      return { champion, runnerUp, judgedIn: state.settings.metric };
    }
    case 'GoalPaused':
      return { status: 'paused', pausedByFleet: fact.data.byFleet === true };
    case 'GoalRestored':
      return { status: 'paused', pausedByFleet: false };
    case 'GoalResumed':
      return { status: 'active' };
    case 'GoalArchived':
      return { status: 'archived' };
    case 'GoalHealthChanged':
      return { reasons: fact.data.reasons };
  }
}

/** What was found out about one series says nothing of another. */
const afterChange = (state: LiveGoal, { data }: GoalChanged): Partial<LiveGoal> => ({
  ...{ settings: data.settings, version: state.version + 1 },
  ...(isOtherSeries(state.settings, data.settings) && { champion: null, runnerUp: null }),
});

export type Champions = Pick<LiveGoal, 'champion' | 'runnerUp'>;
/** Who forecasts a goal, with scores in its metric: one in another says nothing. */
export function championsOf({
  settings,
  champion,
  runnerUp,
  judgedIn = settings.metric,
}: LiveGoal): Champions {
  if (judgedIn === settings.metric) return { champion, runnerUp };
  return {
    champion: champion && { ...champion, score: null },
    runnerUp: runnerUp && { ...runnerUp, score: null },
  };
}

type Series = Pick<GoalSettings, 'target' | 'stepS' | 'stepMonths' | 'timezone'>;
/** Whether other values are forecast from now on. */
export const isOtherSeries = (before: Series, after: Series): boolean =>
  before.target !== after.target || !isSameStep(before, after) || before.timezone !== after.timezone;

/** Whether who forecasts it may change: it was active, and is not put away. */
export const takesChampion = ({ status, activatedAt }: LiveGoal): boolean =>
  (status === 'active' || status === 'paused') && activatedAt !== null;
