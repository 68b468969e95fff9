import type { DeliveryStatus } from '../../domain/notifications/channels/deliveries.js';
import { DELIVERABLE } from '../../domain/notifications/channels/state.js';
import type { Reader } from '../engine/reader.js';
import type { Stored } from '../engine/read-models.js';
import type { ChannelDoc, CodesDoc, DeliveryDoc, WaitingDoc } from './documents.js';

type Paging = { readonly limit: number; readonly offset: number };
export type ChannelQueries = ReturnType<typeof channelQueries>;

/** More channels than anybody may have. */
const ALL = 100;

export const channelQueries = (read: Reader) => {
  const channelsOf = (uid: string): Promise<ChannelDoc[]> =>
    read.find<ChannelDoc>('channels', {
      where: { uid },
      sort: { by: ['created_at', '_id'] },
      limit: ALL,
    });
  return {
    /** Oldest first. */
    channelsOf,
    /** Null: this user has none with this id. */
    async channel(uid: string, channelId: string): Promise<ChannelDoc | null> {
      const found = await read.get<ChannelDoc>('channels', channelId);
      return found?.uid === uid ? found : null;
    },
    /** Whoever's; null: it was removed, or its owner erased. */
    anybodys: (channelId: string): Promise<Stored<ChannelDoc> | null> =>
      read.get<ChannelDoc>('channels', channelId),
    /** The channels that messages may leave by, of those who have any. */
    async reachable(uids: readonly string[]) {
      const found = await Promise.all(uids.map(uid => channelsOf(uid)));
      return new Map(uids.map((uid, i) => [uid, found[i]!.flatMap(open)] as const));
    },
    /** Ids of all of somebody's channels. */
    idsOf: async (uid: string): Promise<string[]> => (await channelsOf(uid)).map(({ _id }) => _id),
    /** Of which something may have to become by a time, some of them. */
    toLookAt: (now: number, limit: number): Promise<ChannelDoc[]> =>
      read.find<ChannelDoc>('channels', {
        where: { look_at: { lte: now } },
        sort: { by: ['look_at', '_id'] },
        limit,
      }),
    /** When codes were sent for somebody, the newest last; the last 20 of them. */
    codesAt: async (uid: string): Promise<readonly number[]> =>
      (await read.get<CodesDoc>('channel_codes', uid))?.codes_at ?? [],

    /** The first days (UTC) up to one on which deliveries ended that are still shown: one, or none. */
    async endedUpTo(day: string): Promise<readonly string[]> {
      const found = await read.find<DeliveryDoc>('deliveries', {
        where: { ended_on: { lte: day } },
        sort: { by: ['ended_on', '_id'] },
        limit: 1,
      });
      return found.flatMap(({ ended_on }) => ended_on ?? []);
    },
    /** Newest first. */
    async deliveries(channelId: string, status: DeliveryStatus | null, paging: Paging) {
      const where = { channel_id: channelId, ...(status && { status }) };
      const sort = { by: ['requested_at', '_id'], descending: true };
      const [items, total] = await Promise.all([
        read.find<DeliveryDoc>('deliveries', { where, sort, ...paging }),
        read.count('deliveries', where),
      ]);
      return { items, total };
    },
    delivery: (deliveryId: string): Promise<Stored<DeliveryDoc> | null> =>
      read.get<DeliveryDoc>('deliveries', deliveryId),

    /** The first that waits and is due, of the channels behind one; null: there is none. */
    async dueBehind(channelId: string, now: number): Promise<WaitingDoc | null> {
      const [first] = await read.find<WaitingDoc>('outbox', {
        where: { channel_id: { gt: channelId }, next_at: { lte: now } },
        sort: { by: ['channel_id', 'next_at', '_id'] },
        limit: 1,
      });
      return first ?? null;
    },
    /** The first of those due over one channel. */
    dueOver: (channelId: string, now: number, limit: number): Promise<Stored<WaitingDoc>[]> =>
      read.find<WaitingDoc>('outbox', {
        where: { channel_id: channelId, next_at: { lte: now } },
        sort: { by: ['channel_id', 'next_at', '_id'] },
        limit,
      }),
  };
};

const open = ({ _id: channelId, type, status }: ChannelDoc) =>
  DELIVERABLE.includes(status) ? [{ channelId, type }] : [];
