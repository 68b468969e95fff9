import type { NotificationCommands } from '../../commands/notifications.js';
import type { Looking, NotificationQueries } from '../../projections/notifications/queries.js';
import type { Caller } from '../edge/row.js';

export type NotificationDeps = {
  readonly commands: Pick<NotificationCommands, 'mark' | 'readAll' | 'setPreferences'>;
  readonly queries: NotificationQueries;
  readonly channels: {
    /** Ids of all channels of a user, verified or not. */
    readonly idsOf: (uid: string) => Promise<readonly string[]>;
  };
  readonly clock: () => number;
  /**
   * Waits, a bounded time, until the read models of notifications hold the fact at a position; null: nothing
   * was written.
   */
  readonly visible: (position: number | null) => Promise<void>;
};

/** In which feed a caller looks. */
export const lookingOf = ({
  caller,
  workspace,
}: {
  readonly caller: Caller;
  readonly workspace: string;
}): Looking => ({
  uid: caller.uid,
  workspace,
  isLimited: caller.workspaceIds !== null,
});

export const tag = 'Notifications';
/** A feed is read, and marked, by whoever may read the workspace. */
export const feedAccess = { kind: 'workspace', scope: 'workspaces.read' } as const;
