import { outgoing } from '../adapters/outgoing/client.js';
import type { Endings } from '../adapters/endings.js';
import { smtpMailer } from '../adapters/mail.js';
import { notificationChannelRows } from '../api/channels/rows.js';
import { channelCommands } from '../commands/channels.js';
import { sending } from '../commands/channels/sending.js';
import { DELIVERIES_KEPT_FOR, deliveryDays } from '../domain/notifications/forgetting.js';
import { readingOf } from '../domain/notifications/kinds.js';
import type { Telling } from '../domain/notifications/channels/messages.js';
import { channelsProjection } from '../projections/channels/projection.js';
import { channelQueries } from '../projections/channels/queries.js';
import { lastAt, NO_WORKSPACE, type NotificationDoc } from '../projections/notifications/documents.js';
import { notificationsProjection } from '../projections/notifications/projection.js';
import { delivering } from '../workers/delivering.js';
import { dispatching } from '../workers/dispatching.js';
import { ReadModelsBehind } from '../workers/engine/failures.js';
import { forgetting } from '../workers/forgetting.js';
import { area } from './area.js';
import { allowedIn } from './outgoing.js';
import type { Kernel } from './kernel.js';
import type { NotificationsArea } from './notifications.js';

type On = { readonly notifications: NotificationsArea };

/** Where people are told besides the feed, and what is on its way to them. */
export const channelsArea = (kernel: Kernel, { notifications }: On, ends: Endings) => {
  const { config, handle, load, look, clock, newId, log, address, read, visibleIn, caughtUp } = kernel;
  const world = ends.keep(outgoing({ allowed: allowedIn(config) }));
  const mailer = config.SMTP_URL === '' ? null : smtpMailer({ url: config.SMTP_URL, from: config.MAIL_FROM });
  if (mailer) ends.keep(mailer);
  const queries = channelQueries(read(channelsProjection));
  const sends = sending({ outgoing: world, mailer, publicUrl: address.url, clock });
  const { channelsOf, codesAt } = queries;
  const asked = { load, look, sending: sends, channelsOf, codesAt };
  const commands = channelCommands({ handle, ...asked });
  const tried = channelCommands({ handle: kernel.tryOut, ...asked });
  const visible = visibleIn(channelsProjection);
  const { canMail, refusal } = sends;
  return area({
    name: 'channels',
    ...{ commands, queries },
    rows: notificationChannelRows({ commands, tried, queries, canMail, refusal, clock, visible }),
    reactors: [dispatching(commands)],
    schedulers: {
      'forgetting deliveries': () =>
        forgetting({
          ...{ keptFor: DELIVERIES_KEPT_FOR, over: queries.endedUpTo, clock, newId, visible, log },
          forget: (day, context) =>
            handle(deliveryDays, { type: 'ForgetDeliveryDay', data: { day } }, context),
        }),
      delivering: () =>
        delivering({
          ...{ queries, commands, sending: sends, clock, newId, visible, log },
          async tellings(uid, ids, position) {
            if (!(await caughtUp(notificationsProjection, position)))
              throw new ReadModelsBehind('the read models do not hold what is to be delivered yet');
            const told = await Promise.all(
              ids.map(async id => {
                const doc = await notifications.queries.one(id);
                return doc?.uid === uid && (await notifications.isTheirs(doc)) ? [tellingOf(doc)] : [];
              }),
            );
            return told.flat();
          },
        }),
    },
  });
};
export type ChannelsArea = ReturnType<typeof channelsArea>;

const tellingOf = (doc: NotificationDoc): Telling => ({
  notificationId: doc._id,
  kind: doc.kind,
  ...readingOf(doc.kind, doc.data),
  data: doc.data,
  workspaceId: doc.workspace === NO_WORKSPACE ? null : doc.workspace,
  goalId: doc.goal_id,
  createdAt: doc.created_at,
  lastAt: lastAt(doc),
  groupKey: doc.group_key,
  count: doc.count,
});
