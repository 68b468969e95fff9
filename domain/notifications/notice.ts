import type { Fact } from '../fact.js';
import type { Role } from '../groups/roles.js';

/**
 * Who is told: the members of a workspace or of an organization from a role on; one user (`workspace`: whose
 * membership it ends with; null: of none); whoever has registered with an address; or, of every workspace
 * that has the foundation model in service, the members from a role on.
 */
export type Audience =
  | { readonly workspace: string; readonly leastRole: Role }
  | { readonly organization: string; readonly leastRole: Role }
  | { readonly uid: string; readonly workspace: string | null }
  | { readonly email: string }
  | { readonly servingModel: string; readonly leastRole: Role };

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
  /** Channels of who is told by which it leaves instead of those that they chose; [] or absent: by these. */
  readonly channels?: readonly string[];
  /** What is told of once, where that is not the fact that it is told by. */
  readonly once?: string;
};

/** Types of facts, and what people are told of each. Null: nothing this time. */
export type Notices = Readonly<Record<string, (fact: Fact<never>) => Notice | null>>;
