import type { ChannelCommands } from '../commands/channels.js';
import type { Fact } from '../domain/fact.js';
import type { ChannelAdded } from '../domain/notifications/channels/facts.js';
import type { Delivery, NotificationRaised } from '../domain/notifications/facts.js';
import { Rejected } from '../domain/rejected.js';
import { users } from '../domain/users/decider.js';
import type { Context } from '../commands/engine/handle.js';
import type { Reactor } from './engine/reactor.js';

const CONCURRENCY = 16;

/**
 * Puts what a notification is to be delivered by into the outbox, once. A channel that was on its way into
 * the log when its user was erased goes, too.
 */
export const dispatching = ({ deliver, keep }: Pick<ChannelCommands, 'deliver' | 'keep'>): Reactor => {
  const request = async (
    { uid, notificationId }: NotificationRaised['data'],
    { deliveryId, channelId, digest, notBefore }: Delivery,
    context: Context,
  ): Promise<void> => {
    const data = { uid, channelId, notificationId, digest, notBefore };
    try {
      await deliver({ type: 'RequestDelivery', data: { ...data, deliveryId } }, context);
    } catch (error) {
      if (!(error instanceof Rejected)) throw error;
      // Its digest has left already: it comes by itself
      const late = `dlv_${channelId}_${notificationId}`;
      await deliver({ type: 'RequestDelivery', data: { ...data, deliveryId: late } }, context);
    }
  };
  return {
    name: 'dispatching',
    concurrency: CONCURRENCY,
    on: {
      async NotificationRaised({ data }: Fact<NotificationRaised>, context) {
        const mine = { ...context, workspace: null };
        for (const delivery of data.deliveries) await request(data, delivery, mine);
      },
      async ChannelAdded({ data: { uid, channelId } }: Fact<ChannelAdded>, context, { load }) {
        if ((await load(users, uid)).status === 'erased')
          await keep({ type: 'RemoveChannel', data: { uid, channelId } }, context);
      },
    },
  };
};
