import type { Message } from '../fact.js';
import type { SignalOrigin } from './facts.js';

type OfSignal = { readonly workspace: string; readonly key: string };

/**
 * At least one point, in the order given: times (epoch ms) may repeat, the later one counts. `unit` null: the
 * source names none.
 */
export type RecordPoints = Message<
  'RecordPoints',
  OfSignal & {
    readonly times: readonly number[];
    readonly values: readonly number[];
    readonly unit: string | null;
    readonly origin: SignalOrigin;
    /** Times that have a value keep it; of a time that repeats the first one counts. */
    readonly keepKnown?: boolean;
    readonly now: number;
  }
>;
/** Null clears. */
export type AssignUnit = Message<'AssignUnit', OfSignal & { readonly unit: string | null }>;
export type AssignGroup = Message<'AssignGroup', OfSignal & { readonly group: string | null }>;
export type NameSignal = Message<'NameSignal', OfSignal & { readonly name: string | null }>;
export type DeleteSignal = Message<'DeleteSignal', OfSignal>;

export type SignalCommand = RecordPoints | AssignUnit | AssignGroup | NameSignal | DeleteSignal;
