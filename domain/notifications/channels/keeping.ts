import { HOUR } from '../../time.js';
import type { KeepChannel } from './commands.js';
import type { ChannelStatus } from './state.js';

/** So many attempts in a row fail before a channel counts as failing. */
export const FAILURES = 10;
/** A channel that fails for so long is disabled, ms. */
export const FAILING_LASTS = 72 * HOUR;

/** How a channel does, as the attempts over it tell. */
export type Doing = {
  readonly uid: string;
  readonly channelId: string;
  readonly status: ChannelStatus;
  /** Since when it has its status, epoch ms. */
  readonly since: number;
  /** Attempts since the last one that worked, or since it was verified. */
  readonly failures: number;
  /** The last attempt was answered 410. */
  readonly isGone: boolean;
};

/** What is to become of a channel at a time (epoch ms); null: it stays as it is. */
export function channelStep({ uid, channelId, ...doing }: Doing, now: number): KeepChannel | null {
  const id = { uid, channelId };
  const { status, since, failures, isGone } = doing;
  if (status !== 'active' && status !== 'failing') return null;
  if (isGone) return { type: 'DisableChannel', data: { ...id, reason: 'gone' } };
  if (status === 'active') return failures >= FAILURES ? { type: 'MarkChannelFailing', data: id } : null;
  if (failures === 0) return { type: 'MarkChannelRecovered', data: id };
  return now >= since + FAILING_LASTS ? { type: 'DisableChannel', data: { ...id, reason: 'failing' } } : null;
}

/** From when on something may become of a channel, unless there is news of it: epoch ms; null: never. */
export function nextLook(doing: Doing): number | null {
  if (channelStep(doing, doing.since)) return doing.since;
  return doing.status === 'failing' ? doing.since + FAILING_LASTS : null;
}
