import { OutcomeUnknown, StoreUnavailable } from '../../commands/ports/event-store.js';
import { withoutSecrets } from '../../commands/ports/without-secrets.js';
import { Overtaken } from '../../projections/engine/read-models.js';

/** The read models do not hold yet what a job needs to see. */
export class ReadModelsBehind extends Error {}

const PASSING = [StoreUnavailable, OutcomeUnknown, ReadModelsBehind, Overtaken];
const MAX_MESSAGE = 500;

/**
 * Whether a failure says nothing about what was being done: it comes from what all work shares, and passes.
 */
export const isPassing = (error: unknown): boolean =>
  PASSING.some(kind => error instanceof kind)
  || (error instanceof Error && error.cause !== undefined && isPassing(error.cause));

/** What is kept of an error: its message, at most 500 characters, without secrets. */
export const messageOf = (error: unknown): string =>
  withoutSecrets(error instanceof Error ? error.message : String(error)).slice(0, MAX_MESSAGE);
