import type { Fact } from '../fact.js';
import type { Role } from '../groups/roles.js';

/** Who is told: the members of a workspace from a role on, or one user. */
export type Audience =
  | { readonly workspace: string; readonly leastRole: Role }
  | { readonly uid: string; readonly workspace: string | null };

/** Something that people should know of, before it is told each of them. */
export type Notice = {
  /** One of the table of kinds, which says how it reads. */
  readonly kind: string;
  readonly to: Audience;
  readonly goalId: string | null;
  /** What the kind's title, body and link are made from. */
  readonly data: Readonly<Record<string, unknown>>;
  /** Notices of one group within an hour, while unread, are one with a count. */
  readonly groupKey: string;
};

/** Types of facts, and what people are told of each. Null: nothing this time. */
export type Notices = Readonly<Record<string, (fact: Fact<never>) => Notice | null>>;
