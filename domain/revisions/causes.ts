import type { Columns } from '../signals/points.js';
import type { GoalStep } from '../goals/steps.js';
import { DAY, SECOND } from '../time.js';

/** What changes history: something of an event, or of a signal's points. */
export const CAUSES = [
  'event_recorded',
  'event_edited',
  'event_deleted',
  'points_recorded',
  'points_revised',
] as const;
export type CauseKind = (typeof CAUSES)[number];

/** A fact that changed what was known of the past. */
export type Cause = {
  readonly kind: CauseKind;
  /** The fact's position in the log. */
  readonly position: number;
  /** Of the signal or the stream, as the workspace calls it. */
  readonly key: string;
  /** Null of points. */
  readonly eventId: string | null;
  /** What it changed, both included, epoch ms; of events from the occurrence until they were recorded. */
  readonly from: number;
  readonly to: number;
  /** When it was recorded, epoch ms. */
  readonly recordedAt: number;
};

export type SourceKind = 'signal' | 'stream';
export const sourceOf = ({ kind }: Pick<Cause, 'kind'>): SourceKind =>
  kind === 'points_recorded' || kind === 'points_revised' ? 'signal' : 'stream';

/** A goal whose history changed: from and to (both included), and by what. */
export type Affected = {
  readonly goalId: string;
  readonly from: number;
  readonly to: number;
  readonly signals: readonly string[];
  readonly streams: readonly string[];
};

/** A cause, under the name that a workspace has for it, and the goals that it affects there. */
export type Found = { readonly cause: Cause; readonly goals: readonly Affected[] };

/** An event is fresh to a goal when it was recorded within this many of its cadences. */
const FRESH_CADENCES = 2;

/** Whether an event that was recorded at `recordedAt` came too late for a goal; both epoch ms. */
export const isStale = (
  { cadenceS }: { readonly cadenceS: number },
  occurredAt: number,
  recordedAt: number,
): boolean => recordedAt - occurredAt > FRESH_CADENCES * cadenceS * SECOND;

type Times = { readonly from: number; readonly to: number };

/** No months are longer by more than so much than they are on average. */
const LONGER_MS = 2 * DAY;

/**
 * The times of new points that a goal should have known: those more than one of its steps before `newest`,
 * the newest that was known when they came (null: none was). Null: they are in order.
 */
export function lateOf(
  { stepS, stepMonths }: GoalStep,
  { times }: Pick<Columns, 'times'>,
  newest: number | null,
): Times | null {
  if (newest === null) return null;
  const step = stepS * SECOND + (stepMonths ? LONGER_MS : 0);
  const late = times.filter(time => newest - time > step);
  return late.length === 0 ? null : { from: late[0]!, to: late.at(-1)! };
}

/** What was changed of a goal, and what is changed of it now, together; `before` null: nothing was. */
export const merged = (before: Affected | null, now: Affected): Affected => ({
  goalId: now.goalId,
  from: Math.min(before?.from ?? Infinity, now.from),
  to: Math.max(before?.to ?? -Infinity, now.to),
  signals: united(before?.signals ?? [], now.signals),
  streams: united(before?.streams ?? [], now.streams),
});
const united = (a: readonly string[], b: readonly string[]): readonly string[] => [...new Set([...a, ...b])];

/** What is added by what is changed of a goal now to what was; null: nothing. */
export function addedTo(before: Affected | null, now: Affected): Affected | null {
  const { goalId, from, to } = merged(before, now);
  const signals = now.signals.filter(key => !before?.signals.includes(key));
  const streams = now.streams.filter(key => !before?.streams.includes(key));
  const isSame = before?.from === from && before.to === to && signals.length + streams.length === 0;
  return isSame ? null : { goalId, from, to, signals, streams };
}

/** What several causes changed of each goal, in the order that goals were first named. */
export function mergedGoals(all: readonly Affected[]): readonly Affected[] {
  const byId = new Map<string, Affected>();
  for (const one of all) byId.set(one.goalId, merged(byId.get(one.goalId) ?? null, one));
  return [...byId.values()];
}
