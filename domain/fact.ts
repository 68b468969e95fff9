/** What happened, as data: a type in the past tense, noun first, and what belongs to it. */
export type Message<T extends string = string, D = unknown> = { readonly type: T; readonly data: D };

/** Who, why and from what: the same members on every fact of every area. */
export type Meta = {
  /** The tenant; null for facts above workspaces (users, organizations). */
  readonly workspace: string | null;
  /** `token:<token_id>`, `source:<source_id>`, `reactor:<name>`, `scheduler:<name>` or `operator`. */
  readonly actor: string;
  /** The HTTP request that asked for it; null when none did. */
  readonly request: string | null;
  /** Shared by everything that follows from one cause. */
  readonly correlation: string;
  /** Id of the fact that led to this one; null for the first of a chain. */
  readonly causation: string | null;
};

/** A fact on its way into a journal. `at` is the platform's clock (epoch ms) when it was decided. */
export type NewFact<E extends Message = Message> = E & {
  readonly id: string;
  readonly at: number;
  readonly meta: Meta;
};

/**
 * A stored domain event. `revision` counts from 0 within its journal; `position` orders all facts of the
 * store: a safe integer that grows, with gaps.
 */
export type Fact<E extends Message = Message> = NewFact<E> & {
  readonly journal: string;
  readonly revision: number;
  readonly position: number;
};

/**
 * Before the first fact: the position to start reading from, and the revision of a journal that does not
 * exist.
 */
export const START = -1;
