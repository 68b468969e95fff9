import type { Message } from '../fact.js';
import type { Affected, Cause } from './causes.js';
import type { GoalEdgesRechecked, GoalRevised, RevisionBegan, RevisionRebuilt } from './facts.js';

type Of = { readonly workspace: string; readonly revisionId: string };
type With<F extends Message> = { readonly workspace: string } & F['data'];

/** `goals`: whom these causes affect. It takes more of them until `mergeMs` after `at` (epoch ms). */
export type NoteCauses = Message<
  'NoteCauses',
  Of & {
    readonly number: number;
    readonly causes: readonly Cause[];
    readonly goals: readonly Affected[];
    readonly at: number;
    readonly mergeMs: number;
  }
>;
/** `at`: epoch ms; before it takes no more causes nothing begins. */
export type BeginRevision = Message<'BeginRevision', With<RevisionBegan> & { readonly at: number }>;
export type NoteRebuilt = Message<'NoteRebuilt', With<RevisionRebuilt>>;
export type NoteRechecked = Message<'NoteRechecked', With<GoalEdgesRechecked>>;
export type ReviseGoal = Message<'ReviseGoal', With<GoalRevised>>;
/** All goals that are there still were looked at again. */
export type ApplyRevision = Message<'ApplyRevision', Of>;
export type FailRevision = Message<'FailRevision', Of & { readonly code: string; readonly message: string }>;

export type RevisionCommand =
  | NoteCauses
  | BeginRevision
  | NoteRebuilt
  | NoteRechecked
  | ReviseGoal
  | ApplyRevision
  | FailRevision;
