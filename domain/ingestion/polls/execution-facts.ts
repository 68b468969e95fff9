import type { Message } from '../../fact.js';
import type { ItemFault } from '../items.js';

/** Where a system that is asked goes on: as it names it, or as our reader writes it down; null: nowhere. */
export type Cursor =
  | null
  | boolean
  | number
  | string
  | readonly Cursor[]
  | { readonly [name: string]: Cursor };

export const triggers = ['schedule', 'manual', 'replay', 'file'] as const;
export type Trigger = (typeof triggers)[number];

type OfExecution = { readonly workspace: string; readonly executionId: string };
type OfRun = OfExecution & { readonly jobId: string; readonly sourceId: string };

/** What came of the items that were read. */
export type Tally = {
  readonly read: number;
  readonly accepted: number;
  readonly duplicates: number;
  readonly rejected: number;
  readonly bytes: number;
};
export type Fault = { readonly code: string; readonly message: string };

/** A job is to be run. `number` counts its runs from 1. `cursor`: where the one before it left off. */
export type ExecutionQueued = Message<
  'ExecutionQueued',
  OfRun & { readonly number: number; readonly trigger: Trigger; readonly cursor: Cursor }
>;
/** `attempt` counts from 1. */
export type ExecutionStarted = Message<'ExecutionStarted', OfExecution & { readonly attempt: number }>;
/** What was cut short goes on behind the last page that was read. */
export type ExecutionResumed = Message<'ExecutionResumed', OfExecution & { readonly attempt: number }>;
/**
 * What a page held is in events and signals. `page` counts from 0. `cursor`: where the next begins. `isLast`:
 * nothing comes behind it.
 */
export type ExecutionPageRead = Message<
  'ExecutionPageRead',
  OfExecution &
    Tally & {
      readonly page: number;
      readonly cursor: Cursor;
      readonly isLast: boolean;
      readonly errors: readonly ItemFault[];
    }
>;
/** It begins again at `retryAt` (epoch ms). */
export type ExecutionAttemptFailed = Message<
  'ExecutionAttemptFailed',
  OfExecution & Fault & { readonly attempt: number; readonly retryAt: number }
>;
export const endings = ['succeeded', 'partial', 'failed', 'cancelled'] as const;
export type Ending = (typeof endings)[number];
export type ExecutionEnded = Message<
  'ExecutionEnded',
  OfRun & { readonly status: Ending; readonly error: Fault | null }
>;
export type ExecutionFact =
  | ExecutionQueued
  | ExecutionStarted
  | ExecutionResumed
  | ExecutionPageRead
  | ExecutionAttemptFailed
  | ExecutionEnded;

export type QueueExecution = Message<'QueueExecution', ExecutionQueued['data']>;
/** Begins it, begins it again once its time has come, or goes on with what was cut short. */
export type BeginExecution = Message<'BeginExecution', OfExecution & { readonly now: number }>;
/** A page that is noted already changes nothing. */
export type NotePage = Message<'NotePage', ExecutionPageRead['data']>;
export type FailAttempt = Message<
  'FailAttempt',
  OfExecution & Fault & { readonly attempt: number; readonly now: number }
>;
export type EndExecution = Message<'EndExecution', OfExecution>;
export type CancelExecution = Message<'CancelExecution', OfExecution>;
export type ExecutionCommand =
  | QueueExecution
  | BeginExecution
  | NotePage
  | FailAttempt
  | EndExecution
  | CancelExecution;
