import type { Message } from '../fact.js';
import type { Cause, GradedStep } from './facts.js';

type OfGoal = { readonly workspace: string; readonly goalId: string };
/** `now`: epoch ms. */
type Now = OfGoal & { readonly now: number };

/** An event reached the bar: a shock begins, with this id, or deepens. */
export type NoteQualifying = Message<
  'NoteQualifying',
  Now & {
    readonly episodeId: string;
    readonly cause: Cause;
    readonly bar: number;
    readonly scheduled: boolean;
  }
>;
/** A person ends a shock. */
export type ExitShock = Message<'ExitShock', Now & { readonly reason: string }>;

// What follows from facts and from time: where it does not fit any more nothing is written.
export type NoteTime = Message<'NoteTime', Now>;
/** An event's edge acts no more, or the event is no longer there. */
export type RemoveCause = Message<
  'RemoveCause',
  Now & { readonly eventId: string; readonly gone: 'edge' | 'event' }
>;
/** The goal is not forecast any more, or wants no shocks. */
export type StopShock = Message<'StopShock', Now & { readonly why: 'goal_stopped' | 'disabled' }>;
/** Actuals came of steps that were forecast in an episode. */
export type NoteGraded = Message<
  'NoteGraded',
  Now & { readonly episodeId: string; readonly steps: readonly GradedStep[] }
>;

export type ShockCommand = NoteQualifying | ExitShock | NoteTime | RemoveCause | StopShock | NoteGraded;
