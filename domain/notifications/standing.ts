import { PersistentMap } from '../persistent-map.js';
import { HOUR } from '../time.js';
import { organizationOf } from './belonging.js';
import type {
  InboxFact,
  NotificationRaised,
  NotificationsForgotten,
  NotificationsRead,
  Told,
} from './facts.js';

/** Repeats of a group merge within so long, ms. */
export const MERGED_WITHIN = HOUR;

type Item = {
  /** '': none. */
  readonly workspace: string;
  /** The workspace or organization that it ends with; '': none. */
  readonly group: string;
  /** How many facts came before it. */
  readonly nth: number;
  readonly raisedAt: number;
  /** Null: it was read by itself. */
  readonly unreadSince: number | null;
  readonly archived: boolean;
};

/**
 * What the facts of a day led to; states share what they have in common. `facts`: how many there were.
 * `raised`: ids by what they merge by, those of the last hour, oldest first. `readUpTo`: by workspace, since
 * when something must be unread to be so still. `forgotten`: by workspace or organization, the position by
 * which the user had left it, and how many facts came before. `readForgotten`: the times of reading all of
 * which nothing is shown any more.
 */
export type InboxState = {
  readonly facts: number;
  readonly items: PersistentMap<Item>;
  readonly causes: PersistentMap<true>;
  readonly raised: PersistentMap<readonly string[]>;
  readonly readUpTo: ReadonlyMap<string, number>;
  readonly forgotten: ReadonlyMap<string, { readonly upTo: number; readonly nth: number }>;
  readonly readForgotten: ReadonlySet<string>;
};
export const initialState: InboxState = {
  facts: 0,
  items: PersistentMap.empty(),
  causes: PersistentMap.empty(),
  raised: PersistentMap.empty(),
  readUpTo: new Map(),
  forgotten: new Map(),
  readForgotten: new Set(),
};

export function evolve(state: InboxState, fact: InboxFact & { readonly at: number }): InboxState {
  const after = { ...state, ...changes(state, fact), facts: state.facts + 1 };
  return 'cause' in fact.data ? { ...after, causes: state.causes.with(fact.data.cause, true) } : after;
}

function changes(
  state: InboxState,
  { type, data, at }: InboxFact & { readonly at: number },
): Partial<InboxState> {
  const marked = (id: string, change: Partial<Item>): Partial<InboxState> => {
    const item = state.items.get(id);
    return item ? { items: state.items.with(id, { ...item, ...change }) } : {};
  };
  switch (type) {
    case 'NotificationRaised':
      return raised(state, data, at);
    case 'NotificationRead':
      return marked(data.notificationId, { unreadSince: null });
    case 'NotificationUnread':
      return marked(data.notificationId, { unreadSince: at, archived: false });
    case 'NotificationArchived':
      return marked(data.notificationId, { unreadSince: null, archived: true });
    case 'NotificationsRead': {
      const readUpTo = new Map(state.readUpTo);
      for (const of of readBy(data)) readUpTo.set(of, Math.max(data.before, readUpTo.get(of) ?? 0));
      return { readUpTo };
    }
    case 'NotificationsForgotten': {
      const left = { upTo: data.upTo, nth: state.facts };
      return { forgotten: new Map(state.forgotten).set(groupOf(data), left) };
    }
    case 'ReadNotificationsForgotten':
      return { readForgotten: new Set(state.readForgotten).add(markId(data)) };
    case 'NotificationRepeated':
      return {};
  }
}

function raised(state: InboxState, data: NotificationRaised['data'], at: number): Partial<InboxState> {
  const { notificationId: id, workspace } = data;
  const key = mergedBy(data);
  const item = {
    ...{ workspace: workspace ?? '', group: groupOf({ workspace, organization: organizationOf(data) }) },
    ...{ nth: state.facts, raisedAt: at, unreadSince: at, archived: false },
  };
  const recent = (state.raised.get(key) ?? []).filter(
    other => at - (state.items.get(other)?.raisedAt ?? 0) < MERGED_WITHIN,
  );
  return { items: state.items.with(id, item), raised: state.raised.with(key, [...recent, id]) };
}

/** What is there under an id; null: nothing, or nothing any more. */
export function itemIn(state: InboxState, id: string): Item | null {
  const item = state.items.get(id);
  return item && item.nth > (state.forgotten.get(item.group)?.nth ?? -1) ? item : null;
}

export function isUnread({ readUpTo }: InboxState, { workspace, unreadSince }: Item): boolean {
  return unreadSince !== null && unreadSince > (readUpTo.get(workspace) ?? -Infinity);
}

/** Whether all up to a time were read already. */
export const allRead = ({ readUpTo }: InboxState, data: AllRead): boolean =>
  readBy(data).every(of => (readUpTo.get(of) ?? -Infinity) >= data.before);

/** The last position by which the user had left a workspace or an organization; -Infinity: never. */
export const leftAt = ({ forgotten }: InboxState, of: OfGroup): number =>
  forgotten.get(groupOf(of))?.upTo ?? -Infinity;

/**
 * The unread notification of the same group that is not older than an hour: of the day before, or of this
 * one.
 */
export function openIn(yesterday: InboxState, today: InboxState, told: Told, now: number): string | null {
  const key = mergedBy(told);
  const openOf = (state: InboxState, isSo: (item: Item) => boolean) =>
    state.raised.get(key)?.find(id => {
      const item = itemIn(state, id);
      return item !== null && now - item.raisedAt < MERGED_WITHIN && isUnread(state, item) && isSo(item);
    });
  // That all was read, or left, since midnight stands in the day of then
  const isStill = (item: Item) => isUnread(today, item) && !today.forgotten.has(item.group);
  return openOf(yesterday, isStill) ?? openOf(today, () => true) ?? null;
}

type AllRead = Pick<NotificationsRead['data'], 'workspace' | 'before' | 'alone'>;
/** The same time of reading all has the same. */
export const markId = ({ workspace, before, alone }: AllRead): string =>
  `${workspace}.${before}${alone ? '.alone' : ''}`;

/** What is read when all is: of the workspace and, unless it is that alone, of none (''). */
const readBy = ({ workspace, alone }: AllRead): readonly string[] => (alone ? [workspace] : [workspace, '']);

type OfGroup = {
  readonly workspace: NotificationsForgotten['data']['workspace'];
  readonly organization?: string | null | undefined;
};
/** The workspace or organization that something is of; '': none. */
const groupOf = ({ workspace, organization }: OfGroup): string => workspace ?? organization ?? '';

const mergedBy = ({ workspace, groupKey }: Pick<Told, 'workspace' | 'groupKey'>): string =>
  JSON.stringify([workspace, groupKey]);
