import type { Recipient } from '../commands/notifications.js';
import { rolesFrom } from '../domain/groups/roles.js';
import type { Reachable } from '../domain/notifications/delivering.js';
import type { Audience } from '../domain/notifications/notice.js';
import type { AccountQueries } from '../projections/identity/queries.js';
import type { NotificationQueries } from '../projections/notifications/queries.js';

export type RecipientDeps = {
  readonly accounts: Pick<AccountQueries, 'membersOf' | 'timezonesOf'>;
  /** Whether somebody is in a workspace. */
  readonly isMember: (workspace: string, uid: string) => Promise<boolean>;
  readonly queries: Pick<NotificationQueries, 'preferencesOf'>;
  /** Who has registered with an address; null: nobody. */
  readonly accountOf: (email: string) => Promise<string | null>;
  /** The workspaces that have a foundation model in service, by its id in the catalogue. */
  readonly serving: (blueprintUid: string) => Promise<Iterable<string>>;
  /** Channels that messages may leave by, of those who have any. */
  readonly channelsOf: (uids: readonly string[]) => Promise<ReadonlyMap<string, readonly Reachable[]>>;
};

/** So many people are told at once, however many there are. */
const AT_ONCE = 100;

/** Everybody whom a notice is for, page by page, with how they want to be told. */
export const recipientsOf = (deps: RecipientDeps) => {
  const { accounts, queries, accountOf, serving, channelsOf, isMember } = deps;
  /** Who was erased is told nothing. */
  const known = async (uids: readonly string[], workspace: string | null): Promise<Recipient[]> => {
    const [timezones, preferences, channels] = await Promise.all([
      accounts.timezonesOf(uids),
      queries.preferencesOf(uids),
      channelsOf(uids),
    ]);
    return [...timezones].map(([uid, timezone]) => ({
      ...{ uid, workspace, timezone },
      preferences: preferences.get(uid) ?? null,
      channels: channels.get(uid) ?? [],
    }));
  };
  return async function* (to: Audience): AsyncGenerator<Recipient[]> {
    if ('uid' in to) {
      // Who has left is told nothing more, whatever goes on in their name
      if (to.workspace !== null && !(await isMember(to.workspace, to.uid))) return;
      return yield await known([to.uid], to.workspace);
    }
    if ('email' in to) {
      const uid = await accountOf(to.email);
      if (uid !== null) yield await known([uid], null);
      return;
    }
    const among = rolesFrom(to.leastRole);
    if ('organization' in to) {
      for await (const uids of accounts.membersOf(to.organization, among, AT_ONCE))
        yield await known(uids, null);
      return;
    }
    for (const workspace of 'workspace' in to ? [to.workspace] : await serving(to.servingModel))
      for await (const uids of accounts.membersOf(workspace, among, AT_ONCE))
        yield await known(uids, workspace);
  };
};
