import type { Message } from '../fact.js';
import type { Champion } from './model.js';
import type { GoalSettings } from './settings.js';

type OfGoal = { readonly goalId: string };

/** `owner`: the user in whose name it forecasts. */
export type GoalCreated = Message<
  'GoalCreated',
  OfGoal & { readonly settings: GoalSettings; readonly owner: string; readonly fleetId: string | null }
>;
export type GoalChanged = Message<'GoalChanged', OfGoal & { readonly settings: GoalSettings }>;
/** From here on a discovery runs, or, where it is skipped, a tournament. */
export type GoalActivated = Message<'GoalActivated', OfGoal & { readonly skipsDiscovery: boolean }>;
/** The first discovery is over; `discoveryId` null: there was none. */
export type GoalDiscovered = Message<
  'GoalDiscovered',
  OfGoal & { readonly discoveryId: string | null; readonly failed: boolean }
>;
/**
 * Forecasts are issued from here on; `champion` null: by falling back alone. `fleetId`: of the fleet that it
 * is one of; absent: of none, or it was not noted yet.
 */
export type GoalWentActive = Message<
  'GoalWentActive',
  OfGoal & {
    readonly champion: Champion | null;
    readonly runnerUp: Champion | null;
    readonly fleetId?: string;
  }
>;
/** A tournament, or a person, named another champion. */
export type GoalChampionChanged = Message<
  'GoalChampionChanged',
  OfGoal & {
    readonly champion: Champion;
    readonly runnerUp: Champion | null;
    readonly by: 'policy' | 'user';
    readonly reason: string;
  }
>;
/** `byFleet`: its fleet rests, and has it go on when it does itself; absent: somebody paused the goal. */
export type GoalPaused = Message<'GoalPaused', OfGoal & { readonly byFleet?: true }>;
export type GoalResumed = Message<'GoalResumed', OfGoal>;
export type GoalArchived = Message<'GoalArchived', OfGoal>;
export type GoalRestored = Message<'GoalRestored', OfGoal>;
export type GoalDeleted = Message<'GoalDeleted', OfGoal>;

export const HEALTH_REASONS = [
  'discovery_failed',
  'no_champion',
  'champion_not_served',
  'target_stale',
  'forecast_missed',
  'credits_exhausted',
  'budget_exhausted',
  'alert_failing',
] as const;
export type HealthReason = (typeof HEALTH_REASONS)[number];
/** The reasons that hold now, all of them; none: it is well. */
export type GoalHealthChanged = Message<
  'GoalHealthChanged',
  OfGoal & { readonly reasons: readonly HealthReason[] }
>;

/** Journal `goal-<workspace>.<goal_id>`. */
export type GoalFact =
  | GoalCreated
  | GoalChanged
  | GoalActivated
  | GoalDiscovered
  | GoalWentActive
  | GoalChampionChanged
  | GoalPaused
  | GoalResumed
  | GoalArchived
  | GoalRestored
  | GoalDeleted
  | GoalHealthChanged;
