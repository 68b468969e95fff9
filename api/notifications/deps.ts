import type { NotificationCommands } from '../../commands/notifications.js';
import type { NotificationQueries } from '../../projections/notifications/queries.js';

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

export const tag = 'Notifications';
/** A feed is read, and marked, by whoever may read the workspace. */
export const feedAccess = { kind: 'workspace', scope: 'workspaces.read' } as const;
