import type { ChannelCommands } from '../../commands/channels.js';
import { channelNotFound } from '../../domain/notifications/channels/decider.js';
import { Rejected } from '../../domain/rejected.js';
import type { ChannelDoc } from '../../projections/channels/documents.js';
import type { ChannelQueries } from '../../projections/channels/queries.js';

export type ChannelDeps = {
  readonly commands: ChannelCommands;
  /** The same, and nothing is written. */
  readonly tried: Pick<ChannelCommands, 'remove'>;
  readonly queries: ChannelQueries;
  /** Whether a mail server is set up. */
  readonly canMail: boolean;
  /** Why a URL may not be a target, in words; null: it may. */
  readonly refusal: (url: string) => Promise<string | null>;
  readonly clock: () => number;
  /** Waits, a bounded time, until the read models of channels hold the fact at a position. */
  readonly visible: (position: number | null) => Promise<void>;
};

export const tag = 'Notifications';
export const path = '/v1/notifications/channels';
export const one = `${path}/{channel_id}`;
export const reads = { kind: 'account', scope: 'workspaces.read' } as const;
/** What is told of all workspaces leaves by it: no token that is limited to some may say where to. */
export const writes = { kind: 'account', scope: 'workspaces.write', everywhere: true } as const;

/** @throws Rejected 404 for a channel that is not the caller's */
export async function found({ queries }: ChannelDeps, uid: string, channelId: string): Promise<ChannelDoc> {
  const doc = await queries.channel(uid, channelId);
  if (!doc) throw channelNotFound();
  return doc;
}

/** @throws Rejected 409 for the feed, which stays as it is */
export function refuseInApp(channelId: string): void {
  if (channelId === 'in_app')
    throw new Rejected('conflict', 'invalid_state', 'The feed is always there, and stays as it is');
}
