import type { Message } from '../fact.js';
import type { HealthReason } from './facts.js';
import type { Champion } from './model.js';
import type { GoalSettings } from './settings.js';

type OfGoal = { readonly workspace: string; readonly goalId: string };
/** `seen`: the version the change is meant for; null: whichever there is. */
type Edit = OfGoal & { readonly seen: number | null };

export type CreateGoal = Message<
  'CreateGoal',
  OfGoal & { readonly settings: GoalSettings; readonly owner: string; readonly fleetId: string | null }
>;
export type ChangeGoal = Message<'ChangeGoal', Edit & { readonly settings: GoalSettings }>;
export type ActivateGoal = Message<'ActivateGoal', OfGoal & { readonly skipsDiscovery: boolean }>;
export type PauseGoal = Message<'PauseGoal', OfGoal & { readonly byFleet?: true }>;
export type ResumeGoal = Message<'ResumeGoal', OfGoal>;
export type ArchiveGoal = Message<'ArchiveGoal', OfGoal>;
export type RestoreGoal = Message<'RestoreGoal', OfGoal>;
export type DeleteGoal = Message<'DeleteGoal', Edit>;

// What follows from facts and from time: where it does not fit the goal any more nothing is written.
/** The first discovery is over; `discoveryId` null: there was none. */
export type NoteDiscovered = Message<
  'NoteDiscovered',
  OfGoal & { readonly discoveryId: string | null; readonly failed: boolean }
>;
type Found = { readonly champion: Champion | null; readonly runnerUp: Champion | null };
/** The first tournament is over; `champion` null: no contestant was valid. */
export type NoteCompeted = Message<'NoteCompeted', OfGoal & Found>;
export type ChangeChampion = Message<
  'ChangeChampion',
  OfGoal & {
    readonly champion: Champion;
    readonly runnerUp: Champion | null;
    readonly by: 'policy' | 'user';
    readonly reason: string;
  }
>;
/** What holds from now on, and what no longer does. */
export type NoteHealth = Message<
  'NoteHealth',
  OfGoal & { readonly add: readonly HealthReason[]; readonly remove: readonly HealthReason[] }
>;

export type GoalCommand =
  | CreateGoal
  | ChangeGoal
  | ActivateGoal
  | PauseGoal
  | ResumeGoal
  | ArchiveGoal
  | RestoreGoal
  | DeleteGoal
  | NoteDiscovered
  | NoteCompeted
  | ChangeChampion
  | NoteHealth;
