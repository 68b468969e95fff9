import { randomBytes, randomInt, randomUUID } from 'node:crypto';
import { channelNotFound, channels, wrongChannelCode } from '../domain/notifications/channels/decider.js';
import { deliveries } from '../domain/notifications/channels/deliveries.js';
import type { ChannelCommand } from '../domain/notifications/channels/commands.js';
import type { DeliveryCommand } from '../domain/notifications/channels/delivery-facts.js';
import type { ChannelType, Outcome } from '../domain/notifications/channels/facts.js';
import type { Content } from '../domain/notifications/channels/messages.js';
import { DELIVERABLE, type Channel, type ChannelStatus } from '../domain/notifications/channels/state.js';
import { Rejected } from '../domain/rejected.js';
import { DAY } from '../domain/time.js';
import type { Sending, Target } from './channels/sending.js';
import { unwritten, type Context, type Handle, type Load, type Look } from './engine/handle.js';
import { newId } from './engine/ids.js';
import { remembered } from './engine/remembered.js';

export type NewChannel = {
  readonly channelType: ChannelType;
  readonly name: string;
  readonly target: string;
};
export type ChannelChanges = {
  readonly name?: string;
  readonly target?: string;
  readonly enabled?: boolean;
};
/** How it went to find out whose a target is. `method`: a code was sent to it, or it was asked to echo. */
export type Verification = { readonly method: 'code' | 'challenge'; readonly outcome: Outcome };
export type Standing = { readonly status: ChannelStatus; readonly target: Target };
type Done = { readonly position: number | null };
export type ChannelCommands = ReturnType<typeof channelCommands>;

type Deps = {
  readonly handle: Handle;
  readonly load: Load;
  readonly look: Look;
  readonly sending: Sending;
  /**
   * How many channels somebody has, and when codes were sent for them. From read models: a race lets somebody
   * have one more.
   */
  readonly channelsOf: (uid: string) => Promise<readonly unknown[]>;
  readonly codesAt: (uid: string) => Promise<readonly number[]>;
};

export const MOST_CHANNELS = 20;
const MOST_CODES = 20;
/** So many notifications of digests that gather more stay in memory. */
const MOST_IN_DIGESTS = 100_000;
const DIGITS = 6;

/** Where a user is told besides the feed. */
export function channelCommands({ handle, load, look, sending, channelsOf, codesAt }: Deps) {
  const digests = remembered({ handle, look }, deliveries, {
    most: MOST_IN_DIGESTS,
    weigh: ({ notifications }) => 1 + notifications.size,
  });
  const decided = (command: ChannelCommand, context: Context) => handle(channels, command, context);

  /** @throws Rejected 404 */
  const found = async (uid: string, channelId: string): Promise<Channel> => {
    const { channel } = await load(channels, `${uid}.${channelId}`);
    if (!channel) throw channelNotFound();
    return channel;
  };

  const sendCode = async (uid: string, channelId: string, channel: Channel, context: Context) => {
    const { at: now } = context;
    refuseManyCodes(await codesAt(uid), now);
    const code = String(randomInt(10 ** DIGITS)).padStart(DIGITS, '0');
    const to = opened(channel);
    const data = { uid, channelId, code, target: to.target, now };
    const { position } = await decided({ type: 'IssueChannelCode', data }, context);
    return { position, verification: { method: 'code', outcome: await sending.code(to, code) } };
  };

  const ask = async (uid: string, channelId: string, channel: Channel, context: Context) => {
    const target = opened(channel);
    const data = { uid, channelId, target: target.target };
    const command = { type: 'ConfirmChallenge', data } as const;
    // What may not be verified is not asked
    channels.decide(command, { channel });
    const outcome = await sending.challenge(target, randomUUID());
    const verification = { method: 'challenge', outcome };
    if (!outcome.ok) return { position: null, verification };
    const { position } = await decided(command, context);
    return { position, verification };
  };

  /** Sends a code, or a challenge, which is confirmed at once where it is echoed. */
  const verify = async (uid: string, channelId: string, context: Context) => {
    const channel = await found(uid, channelId);
    const begin = channel.channelType === 'webhook' ? ask : sendCode;
    return (await begin(uid, channelId, channel, context)) as Done & { readonly verification: Verification };
  };

  return {
    verify,

    /**
     * `secret`: of a webhook, the one time it is seen. Verifying begins at once; that it could not begin is
     * no reason not to have the channel.
     * @throws Rejected 409 where somebody has too many
     */
    async add(uid: string, wanted: NewChannel, context: Context) {
      if ((await channelsOf(uid)).length >= MOST_CHANNELS)
        throw new Rejected(
          'conflict',
          'channel_limit_reached',
          `At most ${MOST_CHANNELS} channels are possible`,
        );
      const channelId = newId('chn_');
      const secret = wanted.channelType === 'webhook' ? newSigningSecret() : null;
      const command = { type: 'AddChannel', data: { uid, channelId, ...wanted, secret } } as const;
      const { position } = await handle(channels, command, context, unwritten(channels));
      const begun = await begunVerifying(() => verify(uid, channelId, context));
      return {
        ...{ channelId, secret, verification: begun?.verification ?? null },
        position: begun?.position ?? position,
      };
    },
    /** @throws Rejected 400 for a wrong code, 409 where there is nothing to verify */
    async confirm(uid: string, channelId: string, code: string, context: Context): Promise<Done> {
      const data = { uid, channelId, code, now: context.at };
      const { facts, position } = await decided({ type: 'ConfirmChannelCode', data }, context);
      if (facts[0]?.type === 'ChannelCodeRefused') throw wrongChannelCode();
      return { position };
    },
    /** `seen`: the version it is meant for; null: whichever. @throws Rejected 404, 409 */
    async change(
      uid: string,
      channelId: string,
      changes: ChannelChanges,
      seen: number | null,
      context: Context,
    ): Promise<Done & { readonly version: number }> {
      const data = { uid, channelId, ...changes, seen };
      const { position, after } = await decided({ type: 'ChangeChannel', data }, context);
      return { position, version: after.channel!.version };
    },
    remove: (uid: string, channelId: string, seen: number | null, context: Context): Promise<Done> =>
      decided({ type: 'RemoveChannel', data: { uid, channelId, seen } }, context),

    /** Sends a message now, once. @throws Rejected 409 where nothing may be delivered over the channel */
    async test(uid: string, channelId: string, content: Content, context: Context) {
      const channel = await found(uid, channelId);
      const { status } = channel;
      if (!DELIVERABLE.includes(status))
        throw new Rejected('conflict', 'invalid_state', `The channel is ${status}`, { status });
      const outcome = await sending.deliver(opened(channel), newId('tst_'), content);
      const command = { type: 'RecordChannelTest', data: { uid, channelId, outcome } } as const;
      return { outcome, position: (await decided(command, context)).position };
    },
    /** The channel as its facts tell it; null: it is not there (any more), or its owner was erased. */
    async standing(uid: string, channelId: string): Promise<Standing | null> {
      const { channel } = await load(channels, `${uid}.${channelId}`);
      return channel?.target ? { status: channel.status, target: opened(channel) } : null;
    },
    keep: decided,
    deliver: (command: DeliveryCommand, context: Context) =>
      command.type === 'RequestDelivery' && command.data.digest
        ? digests.handle(command, context)
        : handle(deliveries, command, context),
    delivery: (uid: string, deliveryId: string) => load(deliveries, `${uid}.${deliveryId}`),
  };
}

/** Of somebody whose key was thrown away there is nothing to open: they are no longer there. */
function opened({ channelType, target, secret }: Channel): Target {
  if (target === null) throw channelNotFound();
  return { channelType, target, secret };
}

/** 32 random bytes, as Standard Webhooks writes them. */
const newSigningSecret = (): string => `whsec_${randomBytes(32).toString('base64')}`;

async function begunVerifying<T>(begin: () => Promise<T>): Promise<T | null> {
  try {
    return await begin();
  } catch (error) {
    if (error instanceof Rejected) return null;
    throw error;
  }
}

function refuseManyCodes(codesAt: readonly number[], now: number): void {
  const recent = codesAt.filter(at => at > now - DAY);
  if (recent.length < MOST_CODES) return;
  throw new Rejected('limited', 'too_many_attempts', 'Too many codes were sent today; wait a while', {
    retry_after_s: Math.ceil((recent.at(-MOST_CODES)! + DAY - now) / 1_000),
  });
}
