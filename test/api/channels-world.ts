import { channels } from '../../domain/notifications/channels/decider.js';
import type { Json } from '../json.js';
import { peopleOf } from '../people.js';
import type { Running } from '../platform.js';
import { mailbox } from '../receivers.js';
import type { Answered, Client } from './client.js';
import { notificationsApi, type Beginning } from './notifications-world.js';

export const PATH = '/v1/notifications/channels';
export type ChannelBody = {
  readonly channel_id: string;
  readonly type: string;
  readonly name: string;
  readonly target: string;
  readonly status: string;
  readonly disabled_reason: string | null;
  readonly last_delivery: { readonly ok: boolean; readonly status_code: number | null } | null;
  readonly secret?: string;
  readonly verification?: {
    readonly method: string;
    readonly ok: boolean;
    readonly status_code: number | null;
    readonly reason: string | null;
  };
};

const callerOf = (client: Client) => ({
  get: (path: string): Promise<Answered<Json>> => client.get<Json>(path),
  delete: (path: string): Promise<Answered<Json>> => client.delete<Json>(path),
  post: (path: string, body?: unknown, headers?: Record<string, string>): Promise<Answered<Json>> =>
    client.post<Json>(path, body, headers),
  put: (path: string, body: unknown): Promise<Answered<Json>> => client.put<Json>(path, body),
  patch: (path: string, body: unknown = {}): Promise<Answered<Json>> => client.patch<Json>(path, body),
});
export type Caller = ReturnType<typeof callerOf>;

/** The six digits of a message. */
export const codeIn = (text: string): string => /\b\d{6}\b/.exec(text)![0];

/** A platform that may reach this machine, with a mail server. */
export async function channelsApi({ env = {}, ...starting }: Beginning = {}) {
  const box = await mailbox();
  const world = await notificationsApi({
    env: {
      ...{ OUTGOING_ALLOW: '127.0.0.1', SMTP_URL: box.url, MAIL_FROM: 'presage@example.org' },
      RATE_HEAVY: '1000000',
      ...env,
    },
    ...starting,
  });
  return {
    ...world,
    box,
    ann: callerOf(world.ann),
    async somebody(email: string) {
      const person = await world.people.person(email);
      const mine = callerOf(world.clientFor({ token: person.token, workspaceId: world.workspace }));
      return { person, mine };
    },
    async close(): Promise<void> {
      await world.close();
      await box.close().catch(() => undefined);
    },
  };
}

/** An email channel of somebody, which works, with a delivery that is parked: nothing is sent for it. */
export async function addedChannel(platform: Running['platform'], uid: string) {
  const { handle, newId, visible, clock } = platform;
  const { commands } = platform.areas.channels;
  const operator = peopleOf(platform).operator();
  const channelId = `chn_${newId().slice(0, 8)}`;
  const deliveryId = `dlv_${newId().slice(0, 8)}`;
  const id = { uid, channelId };
  const target = {
    channelType: 'email',
    name: 'Theirs',
    target: 'secret@example.org',
    secret: null,
  } as const;
  await handle(channels, { type: 'AddChannel', data: { ...id, ...target } }, operator);
  const request = { ...id, deliveryId, notificationId: 'ntf_none', digest: false, notBefore: clock() };
  await commands.deliver({ type: 'RequestDelivery', data: request }, operator);
  const parked = { ...id, deliveryId, reason: 'channel_not_verified' } as const;
  const { position } = await commands.deliver({ type: 'ParkDelivery', data: parked }, operator);
  await visible(position);
  return { channelId, deliveryId };
}
