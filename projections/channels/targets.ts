import type { ChannelType } from '../../domain/notifications/channels/facts.js';

/** A target as it is shown: enough to know it again, too little to use it. */
export function masked(type: ChannelType, target: string): string {
  if (type !== 'email') return `${originOf(target)}/***`;
  const at = target.lastIndexOf('@');
  return `${target.slice(0, 1)}***${target.slice(at)}`;
}

/** Whom messages go to: of mail it is our own mail server, whoever they are for. */
export const laneOf = (type: ChannelType, target: string | null): string =>
  type === 'email' || target === null ? 'mail' : originOf(target);

const originOf = (target: string): string => /^[a-z]+:\/\/[^/?#]+/i.exec(target)?.[0].toLowerCase() ?? '';
