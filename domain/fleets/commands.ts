import type { Message } from '../fact.js';
import type { FleetGoalsMade, FleetPlanned, FleetSyncRequested } from './facts.js';
import type { FleetSettings } from './settings.js';
import type { FleetWork } from './state.js';

type OfFleet = { readonly workspace: string; readonly fleetId: string };
type With<F extends Message> = { readonly workspace: string } & F['data'];
/** `seen`: the version it is meant for; null: whichever there is. */
type Edit = OfFleet & { readonly seen: number | null };

export type CreateFleet = Message<
  'CreateFleet',
  OfFleet & { readonly settings: FleetSettings; readonly owner: string }
>;
export type ChangeFleet = Message<'ChangeFleet', Edit & { readonly settings: FleetSettings }>;
export type SyncFleet = Message<'SyncFleet', With<FleetSyncRequested>>;
export type PauseFleet = Message<'PauseFleet', OfFleet>;
export type ResumeFleet = Message<'ResumeFleet', OfFleet>;
export type DeleteFleet = Message<'DeleteFleet', Edit>;

// What the work on it leads to: where it does not fit the fleet any more nothing is written.
export type PlanFleet = Message<'PlanFleet', With<FleetPlanned>>;
export type NoteFleetGoals = Message<'NoteFleetGoals', With<FleetGoalsMade>>;
/** All goals are as the work wanted them. */
export type SettleFleet = Message<'SettleFleet', OfFleet & { readonly work: FleetWork }>;

export type FleetCommand =
  | CreateFleet
  | ChangeFleet
  | SyncFleet
  | PauseFleet
  | ResumeFleet
  | DeleteFleet
  | PlanFleet
  | NoteFleetGoals
  | SettleFleet;
