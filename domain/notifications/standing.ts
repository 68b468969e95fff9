import type { Fact } from '../fact.js';
import { HOUR } from '../time.js';
import { organizationOf } from './belonging.js';
import type { InboxFact, NotificationsForgotten, NotificationsRead, Told } from './facts.js';

/** The facts of one day, the newest first: what stands is made of them when something is decided. */
export type InboxState = { readonly fact: Fact<InboxFact>; readonly before: InboxState } | null;

/** Repeats of a group merge within so long, ms. */
export const MERGED_WITHIN = HOUR;

type AllRead = Pick<NotificationsRead['data'], 'workspace' | 'before' | 'alone'>;
type Item = {
  readonly workspace: string | null;
  readonly organization: string | null;
  readonly groupKey: string;
  readonly raisedAt: number;
  /** Null: it is read. */
  unreadSince: number | null;
  archived: boolean;
};

/** What the facts of a day led to. */
export class Standing {
  readonly items = new Map<string, Item>();
  readonly causes = new Set<string>();
  readonly #readUpTo = new Map<string, number>();
  readonly #forgottenUpTo = new Map<string, number>();

  take({ type, data, at }: Fact<InboxFact>): void {
    if ('cause' in data) this.causes.add(data.cause);
    const item = 'notificationId' in data ? this.items.get(data.notificationId) : undefined;
    switch (type) {
      case 'NotificationRaised':
        this.items.set(data.notificationId, {
          ...{ workspace: data.workspace, organization: organizationOf(data), groupKey: data.groupKey },
          ...{ raisedAt: at, unreadSince: at, archived: false },
        });
        return;
      case 'NotificationRead':
        if (item) item.unreadSince = null;
        return;
      case 'NotificationUnread':
        if (item) Object.assign(item, { unreadSince: at, archived: false });
        return;
      case 'NotificationArchived':
        if (item) Object.assign(item, { unreadSince: null, archived: true });
        return;
      case 'NotificationsRead':
        for (const of of readBy(data))
          this.#readUpTo.set(of, Math.max(data.before, this.#readUpTo.get(of) ?? 0));
        for (const each of this.items.values())
          if (readBy(data).includes(each.workspace ?? '') && (each.unreadSince ?? Infinity) <= data.before)
            each.unreadSince = null;
        return;
      case 'NotificationsForgotten':
        this.#forgottenUpTo.set(groupOf(data), data.upTo);
        for (const [id, each] of this.items) if (groupOf(each) === groupOf(data)) this.items.delete(id);
    }
  }

  /** Whether all up to a time were read already. */
  read(data: AllRead): boolean {
    return readBy(data).every(of => (this.#readUpTo.get(of) ?? -Infinity) >= data.before);
  }

  /** The last position by which the user had left a workspace or an organization; -Infinity: never. */
  upTo(of: OfGroup): number {
    return this.#forgottenUpTo.get(groupOf(of)) ?? -Infinity;
  }
}

type OfGroup = {
  readonly workspace: NotificationsForgotten['data']['workspace'];
  readonly organization?: string | null | undefined;
};
/** The workspace or organization that something is of; '': none. */
const groupOf = ({ workspace, organization }: OfGroup): string => workspace ?? organization ?? '';

/** What is read when all is: of the workspace and, unless it is that alone, of none (''). */
const readBy = ({ workspace, alone }: AllRead): readonly string[] => (alone ? [workspace] : [workspace, '']);

/** The unread notification of the same group that is not older than an hour. */
export function openIn({ items }: Standing, { workspace, groupKey }: Told, now: number): string | null {
  for (const [id, item] of items)
    if (
      item.groupKey === groupKey
      && item.workspace === workspace
      && item.unreadSince !== null
      && now - item.raisedAt < MERGED_WITHIN
    )
      return id;
  return null;
}

export function standingIn(state: InboxState): Standing {
  const facts: Fact<InboxFact>[] = [];
  for (let each = state; each; each = each.before) facts.push(each.fact);
  const standing = new Standing();
  for (const fact of facts.reverse()) standing.take(fact);
  return standing;
}
