import type { Message } from '../fact.js';
import type { AlertKind, AlertSettings, AlertSeverity } from './kinds.js';

/**
 * `goalId` null: of a rule without a goal. `upTo`: position of the fact that was looked at, where one was:
 * what came before it is not looked at again.
 */
type OfAlert = { readonly alertId: string; readonly goalId: string | null; readonly upTo?: number };
type OfInstance = OfAlert & { readonly instanceId: string };

/** What was found, in a sentence, and what it was found in. Times are epoch ms. */
export type Evidence = {
  /** The value, probability or share that was held against the rule; null: there is none. */
  readonly value: number | null;
  readonly message: string;
  readonly at: number | null;
  readonly forecastId: string | null;
  readonly eventId: string | null;
};
/** What people are told, and who: a rule's author, by these channels. */
export type ToldOf = {
  readonly name: string;
  readonly kind: AlertKind;
  readonly severity: AlertSeverity;
  readonly to: string;
  readonly channels: readonly string[];
};

/** `by`: the user who made it. */
export type AlertCreated = Message<
  'AlertCreated',
  OfAlert & { readonly settings: AlertSettings; readonly by: string }
>;
export type AlertChanged = Message<'AlertChanged', OfAlert & { readonly settings: AlertSettings }>;
export type AlertDeleted = Message<'AlertDeleted', OfAlert>;
/** A message was sent that says it is a test. */
export type AlertTested = Message<'AlertTested', OfAlert & ToldOf>;

/** It holds, and must for a while. */
export type AlertPended = Message<'AlertPended', OfAlert & { readonly evidence: Evidence }>;
/** It no longer holds before it fired. */
export type AlertCalmed = Message<'AlertCalmed', OfAlert>;
/** An instance begins. `since`: when it began to hold. */
export type AlertFired = Message<
  'AlertFired',
  OfInstance & ToldOf & { readonly evidence: Evidence; readonly since: number }
>;
/** It still fires, and nobody has acknowledged it: its author is told again. */
export type AlertRepeated = Message<'AlertRepeated', OfInstance & ToldOf & { readonly evidence: Evidence }>;
/** A first check found that it no longer holds; `check` names it. */
export type AlertEased = Message<'AlertEased', OfInstance & { readonly check: string }>;
/** The next check found that it holds all the same. */
export type AlertWentOn = Message<'AlertWentOn', OfInstance>;
/** `by`: the user. */
export type AlertAcknowledged = Message<'AlertAcknowledged', OfInstance & { readonly by: string }>;
/** Nothing is told again until then, epoch ms. */
export type AlertSnoozed = Message<
  'AlertSnoozed',
  OfInstance & { readonly by: string; readonly until: number }
>;
/** An instance ends. `by`: the user who said so; null: it did not hold twice. */
export type AlertResolved = Message<
  'AlertResolved',
  OfInstance & ToldOf & { readonly by: string | null; readonly evidence: Evidence | null }
>;
/** Its cooldown is over. */
export type AlertRested = Message<'AlertRested', OfAlert>;
/** Nothing came to check for three cadences; `lastAt`: when something came last, null: never. */
export type AlertLostData = Message<'AlertLostData', OfAlert & ToldOf & { readonly lastAt: number | null }>;
export type AlertRegainedData = Message<'AlertRegainedData', OfAlert>;
/** It could not be checked. */
export type AlertCheckFailed = Message<
  'AlertCheckFailed',
  OfAlert & { readonly code: string; readonly message: string }
>;
export type AlertCheckRecovered = Message<'AlertCheckRecovered', OfAlert>;

/** Journal `alert-<workspace>.<alert_id>`. */
export type AlertFact =
  | AlertCreated
  | AlertChanged
  | AlertDeleted
  | AlertTested
  | AlertPended
  | AlertCalmed
  | AlertFired
  | AlertRepeated
  | AlertEased
  | AlertWentOn
  | AlertAcknowledged
  | AlertSnoozed
  | AlertResolved
  | AlertRested
  | AlertLostData
  | AlertRegainedData
  | AlertCheckFailed
  | AlertCheckRecovered;

export const ALERT_FACTS = [
  ...(['AlertCreated', 'AlertChanged', 'AlertDeleted', 'AlertTested', 'AlertPended'] as const),
  ...(['AlertCalmed', 'AlertFired', 'AlertRepeated', 'AlertEased', 'AlertWentOn'] as const),
  ...(['AlertAcknowledged', 'AlertSnoozed', 'AlertResolved', 'AlertRested'] as const),
  ...(['AlertLostData', 'AlertRegainedData', 'AlertCheckFailed', 'AlertCheckRecovered'] as const),
] as const satisfies readonly AlertFact['type'][];
