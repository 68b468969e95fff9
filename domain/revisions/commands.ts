import type { Message } from '../fact.js';
import type { Found } from './causes.js';
import type { GoalEdgesRechecked, GoalRevised, RevisionBegan, RevisionRebuilt } from './facts.js';

type Of = { readonly workspace: string; readonly revisionId: string };
type With<F extends Message> = { readonly workspace: string } & F['data'];

/** It takes more that are recorded within `mergeMs` of the first. */
export type NoteCauses = Message<
  'NoteCauses',
  Of & {
    readonly number: number;
    readonly found: readonly Found[];
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
