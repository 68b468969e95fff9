import type { Cursor } from '../../domain/ingestion/polls/execution-facts.js';

/** One portion of what somebody else's system has. */
export type PolledPage = {
  /** Its items in their order, in parts of at most 1,000; to be read once, before the next page is. */
  readonly parts: Iterable<readonly unknown[]> | AsyncIterable<readonly unknown[]>;
  /** Where the next page begins; null: this page says nothing of it, and the one before it stands. */
  readonly cursor: Cursor;
  /** Bytes that were read for it. */
  readonly bytes: number;
  /** Nothing comes behind it, as far as can be told. */
  readonly isLast: boolean;
};

export type Polling = {
  /** As the source has it, its secrets among it. */
  readonly config: Readonly<Record<string, unknown>>;
  /** Where to go on; null: at the beginning. */
  readonly cursor: Cursor;
  /** How many pages of this run were read before it was cut short. */
  readonly pagesRead: number;
  /** Where the items stand in an answer of JSON; null: it is the list itself, or the one item. */
  readonly itemsPath: string | null;
  readonly signal: AbortSignal;
};

/** Reads somebody else's system page by page. Ends with a page that is the last, or when there is none. */
export type Connector = {
  /** @throws PollFailed, OutgoingFailed */
  readonly pages: (polling: Polling) => AsyncIterable<PolledPage>;
  /** Why a config may not be used, as far as can be told just now: the field, and what is wrong with it. */
  readonly refusal: (config: Readonly<Record<string, unknown>>) => Promise<Refusal | null>;
};
export type Refusal = { readonly field: string; readonly message: string };

export const ITEMS_A_PART = 1_000;

/** Items in parts; let go of at the end, for who took them may still hold the page. */
export function* partsOf(items: unknown[]): Iterable<readonly unknown[]> {
  for (let from = 0; from < items.length; from += ITEMS_A_PART) yield items.slice(from, from + ITEMS_A_PART);
  items.length = 0;
}

/** Of what the other side said; it goes into facts. */
const LONGEST_MESSAGE = 1_000;

/** What the other side did or said that ends an attempt; `message` holds no secret. */
export class PollFailed extends Error {
  constructor(
    readonly code: PollFailure,
    message: string,
    options?: ErrorOptions,
  ) {
    super(message.slice(0, LONGEST_MESSAGE).toWellFormed(), options);
  }
}
export type PollFailure =
  | 'http_status'
  | 'invalid_json'
  | 'redirect_refused'
  | 'object_changed'
  | 'invalid_data'
  | 'query_failed'
  | 'too_large';
