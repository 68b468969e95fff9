import type { PollFailure } from '../../commands/ingestion/connectors.js';
import type { Cursor } from '../../domain/ingestion/polls/execution-facts.js';
import type { Paths } from './answer.js';

/** What a process that takes an answer apart is told; the answer itself it reads from its standard input. */
export type Order = { readonly paths: Paths };

/** What it says: where to go on, then part after part of the items as JSON, then that this was all. */
export type Said =
  | { readonly next: Cursor }
  | { readonly part: string }
  | { readonly ended: true }
  | { readonly refused: readonly [PollFailure, string] }
  | { readonly failed: string };

/** Parts under way at once. */
export const AHEAD = 2;

/** So much of an answer is parsed at once where others wait for it. */
export const MOST_AT_ONCE = 1_048_576;
