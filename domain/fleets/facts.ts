import type { Message } from '../fact.js';
import type { FleetSettings } from './settings.js';

type OfFleet = { readonly fleetId: string };

/** `owner`: the user in whose name its goals forecast. From here on its goals are made. */
export type FleetCreated = Message<
  'FleetCreated',
  OfFleet & { readonly settings: FleetSettings; readonly owner: string }
>;
export type FleetChanged = Message<'FleetChanged', OfFleet & { readonly settings: FleetSettings }>;
export const SYNC_CAUSES = ['user', 'change', 'auto'] as const;
/** Entities without a goal are looked for again: somebody asked, others are wanted, or new ones came. */
export type FleetSyncRequested = Message<
  'FleetSyncRequested',
  OfFleet & { readonly by: (typeof SYNC_CAUSES)[number] }
>;
/** The entities that are to get a goal; `beyond`: how many more are wanted than the fleet may have. */
export type FleetPlanned = Message<
  'FleetPlanned',
  OfFleet & { readonly entities: readonly string[]; readonly beyond: number }
>;
export type Made = { readonly entity: string; readonly goalId: string };
export type Failed = { readonly entity: string; readonly code: string; readonly message: string };
/** Some of them got one, and some could not. */
export type FleetGoalsMade = Message<
  'FleetGoalsMade',
  OfFleet & { readonly made: readonly Made[]; readonly failed: readonly Failed[] }
>;
/** All that were to get one are through. */
export type FleetSynced = Message<'FleetSynced', OfFleet>;
/** From here on its goals are paused, or go on, one after the other. */
export type FleetPaused = Message<'FleetPaused', OfFleet>;
export type FleetResumed = Message<'FleetResumed', OfFleet>;
/** Its goals are as it is. */
export type FleetSettled = Message<'FleetSettled', OfFleet>;
/** From here on its goals are archived. */
export type FleetDeletionBegan = Message<'FleetDeletionBegan', OfFleet>;
/** They are; they go on to name the fleet. */
export type FleetDeleted = Message<'FleetDeleted', OfFleet>;

/** Journal `fleet-<workspace>.<fleet_id>`. */
export type FleetFact =
  | FleetCreated
  | FleetChanged
  | FleetSyncRequested
  | FleetPlanned
  | FleetGoalsMade
  | FleetSynced
  | FleetPaused
  | FleetResumed
  | FleetSettled
  | FleetDeletionBegan
  | FleetDeleted;
