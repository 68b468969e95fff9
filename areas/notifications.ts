import { notificationRows } from '../api/notifications/rows.js';
import { notificationCommands } from '../commands/notifications.js';
import { roleReaches } from '../domain/groups/roles.js';
import { leastRoleOf } from '../domain/notifications/belonging.js';
import { READ_KEPT_FOR } from '../domain/notifications/forgetting.js';
import { notificationFrames, type ToldTo } from '../domain/notifications/frames.js';
import type { Reachable } from '../domain/notifications/delivering.js';
import { deploymentsProjection } from '../projections/deployments/projection.js';
import { fleetsProjection } from '../projections/fleets/projection.js';
import { fleetQueries } from '../projections/fleets/queries.js';
import { groupQueries } from '../projections/identity/group-queries.js';
import { identityProjection } from '../projections/identity/projection.js';
import { notificationsProjection } from '../projections/notifications/projection.js';
import { notificationQueries } from '../projections/notifications/queries.js';
import { pipelinesProjection } from '../projections/pipelines/projection.js';
import { expiringTokens } from '../workers/expiring-tokens.js';
import { forgetting } from '../workers/forgetting.js';
import { notifying } from '../workers/notifying.js';
import { recipientsOf } from '../workers/recipients.js';
import { area, type Area } from './area.js';
import type { DeploymentsArea } from './deployments.js';
import type { IdentityArea } from './identity.js';
import type { Kernel } from './kernel.js';
import type { ModelsArea } from './models.js';
import { naming } from './naming.js';
import { invitationNotice } from './notices.js';
import { streamsOf } from './streams.js';

type On = {
  readonly identity: IdentityArea;
  readonly models: ModelsArea;
  readonly deployments: DeploymentsArea;
  /** A pipeline of a workspace; null: it has none with this id. */
  readonly pipelineNamed: (
    workspace: string,
    pipelineId: string,
  ) => Promise<{ readonly name: string } | null>;
  readonly goals: { readonly byId: (goalId: string) => Promise<{ readonly name: string } | null> };
  /** All that have something to tell. */
  readonly areas: readonly Area[];
  /** Asked of channels, which are built on notifications. */
  readonly channels: {
    /** Those that messages may leave by. */
    readonly reachable: (uids: readonly string[]) => Promise<ReadonlyMap<string, readonly Reachable[]>>;
    /** Ids of all channels of a user. */
    readonly idsOf: (uid: string) => Promise<readonly string[]>;
  };
};

/** What people are told. */
export const notificationsArea = (
  kernel: Kernel,
  { identity, models, deployments, goals, pipelineNamed, areas, channels }: On,
) => {
  const { handle, look, clock, newId, log, read, stores, visibleIn, caughtUp } = kernel;
  const visible = visibleIn(notificationsProjection);
  const streams = streamsOf(kernel, identity);
  const queries = notificationQueries(read(notificationsProjection));
  const commands = notificationCommands({ handle, look });
  const groups = groupQueries(read(identityProjection));
  const fleets = fleetQueries(read(fleetsProjection));
  const recipients = recipientsOf({
    queries,
    isMember: async (workspace, uid) => (await groups.member(workspace, uid)) !== null,
    channelsOf: channels.reachable,
    accounts: identity.accounts,
    accountOf: identity.accountOf,
    async serving(blueprintUid) {
      const model = await models.hosted.byUid(blueprintUid);
      return model ? deployments.queries.workspacesServing(model) : [];
    },
  });
  /** Whether somebody is still in what they were told of, in a role that is told of it. */
  const isTheirs = async ({ uid, kind, workspace, organization }: ToldTo): Promise<boolean> => {
    const group = workspace || organization;
    if (!group) return true;
    const role = (await groups.member(group, uid))?.role;
    return role !== undefined && roleReaches(role, leastRoleOf(kind, organization));
  };
  const named = naming({
    group: groups.group,
    deployment: async id => (await deployments.queries.some([id])).get(id),
    model: models.hosted.byUid,
    goal: goals.byId,
    pipeline: pipelineNamed,
    fleet: async (workspace, fleetId) => (await fleets.fleet(workspace, fleetId))?.state.settings ?? null,
  });
  const keeping = { keptFor: READ_KEPT_FOR, clock, newId, visible, log };
  const found = [identityProjection, deploymentsProjection, pipelinesProjection];
  return area({
    name: 'notifications',
    ...{ queries, commands },
    isTheirs,
    /** Opens the streams beside HTTP. */
    open: streams.open,
    rows: notificationRows({
      ...{ queries, commands, channels, clock, visible, log, isTheirs },
      ...{ listeners: streams.listeners, admit: streams.admit, head: () => stores.events.head() },
    }),
    frames: {
      of: notificationFrames({
        unread: queries.unreadCount,
        isTheirs,
      }),
      shown: visible,
    },
    reactors: [
      notifying({
        ...{ commands, named, recipients },
        async awaiting(email, now) {
          const open = await identity.accounts.invitationsTo(email);
          return open
            .filter(({ expiresAt }) => expiresAt > now)
            .map(each => ({ notice: invitationNotice(each, email), at: each.invitedAt }));
        },
        notices: areas.flatMap(({ notices }) => (notices ? [notices] : [])),
        caughtUp: async position => (await Promise.all(found.map(p => caughtUp(p, position)))).every(Boolean),
      }),
    ],
    schedulers: {
      'forgetting notifications': () =>
        forgetting({ ...keeping, over: queries.overUpTo, forget: commands.forgetDay }),
      'forgetting read notifications': () =>
        forgetting({
          ...{ ...keeping, over: queries.marksUpTo },
          forget: ({ uid, day, workspace, before, alone }, context) =>
            commands.forgetRead({ uid, day, workspace, before, ...(alone && { alone }) }, context),
        }),
      expiring_tokens: () =>
        expiringTokens({ accounts: identity.accounts, commands, recipients, clock, newId, log }),
    },
  });
};
export type NotificationsArea = ReturnType<typeof notificationsArea>;
