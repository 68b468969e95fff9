import type { Message } from '../fact.js';
import type { Evidence } from './facts.js';
import type { AlertSettings } from './kinds.js';

type OfAlert = { readonly workspace: string; readonly alertId: string };
/** `seen`: the version the change is meant for; null: whichever there is. */
type Edit = OfAlert & { readonly seen: number | null };
type OfInstance = OfAlert & { readonly instanceId: string; readonly by: string };

export type CreateAlert = Message<
  'CreateAlert',
  OfAlert & { readonly goalId: string | null; readonly settings: AlertSettings; readonly by: string }
>;
export type ChangeAlert = Message<'ChangeAlert', Edit & { readonly settings: AlertSettings }>;
export type DeleteAlert = Message<'DeleteAlert', Edit>;
export type TestAlert = Message<'TestAlert', OfAlert>;
export type AcknowledgeAlert = Message<'AcknowledgeAlert', OfInstance>;
/** `until`: epoch ms. */
export type SnoozeAlert = Message<'SnoozeAlert', OfInstance & { readonly until: number }>;
export type ResolveAlert = Message<'ResolveAlert', OfInstance>;

/**
 * What a check found: whether it holds; that nothing came to check since a time (`within`: for how long it
 * may be so, ms; `upSince`: before then, epoch ms, nothing could come); or that it could not be made.
 */
export type Verdict =
  | { readonly holds: boolean; readonly evidence: Evidence }
  | { readonly lastAt: number | null; readonly within: number; readonly upSince: number }
  | { readonly code: string; readonly message: string };
/** `key` names the check: the same one counts once. `instanceId`: of what it may begin. */
export type Check = { readonly key: string; readonly instanceId: string; readonly verdict: Verdict };

/**
 * Checks in their order, made now (`at`, epoch ms). `position`: of the fact that they look at; null: they are
 * made by time.
 */
export type CheckAlert = Message<
  'CheckAlert',
  OfAlert & { readonly at: number; readonly position: number | null; readonly checks: readonly Check[] }
>;
/** A cooldown may be over. */
export type RestAlert = Message<'RestAlert', OfAlert & { readonly at: number }>;

export type AlertCommand =
  | CreateAlert
  | ChangeAlert
  | DeleteAlert
  | TestAlert
  | AcknowledgeAlert
  | SnoozeAlert
  | ResolveAlert
  | CheckAlert
  | RestAlert;
