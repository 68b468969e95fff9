import type { Decider } from '../../decider.js';
import { Rejected } from '../../rejected.js';
import { HOUR, MINUTE } from '../../time.js';
import { mindVersion } from '../../versions.js';
import type {
  ChangeChannel,
  ChannelCommand,
  ConfirmChallenge,
  ConfirmChannelCode,
  IssueChannelCode,
  KeepChannel,
  RecordChannelTest,
} from './commands.js';
import { GONE, type ChannelFact } from './facts.js';
import { DELIVERABLE, evolve, initialState, type Channel, type ChannelState } from './state.js';

export const CODE_LASTS = 30 * MINUTE;
export const CODES = { most: 5, within: HOUR, wrong: 5 } as const;

export const channelNotFound = (): Rejected => new Rejected('missing', 'not_found', 'Channel not found');
export const wrongChannelCode = (): Rejected =>
  new Rejected('invalid', 'invalid_code', 'The code is not the one that was sent, or it has expired');

function decide(command: ChannelCommand, { channel }: ChannelState): readonly ChannelFact[] {
  const { uid, channelId } = command.data;
  const id = { uid, channelId };
  if (command.type === 'AddChannel') {
    const { channelType, name, target, secret } = command.data;
    const personal = { of: uid, name, target, secret };
    return channel ? [] : [{ type: 'ChannelAdded', data: { ...id, channelType, personal } }];
  }
  if (!channel) throw channelNotFound();
  switch (command.type) {
    case 'ChangeChannel':
      return change(command, channel);
    case 'IssueChannelCode':
      return issueCode(command, channel);
    case 'ConfirmChannelCode':
      return confirmCode(command, channel);
    case 'ConfirmChallenge':
      return confirmChallenge(command, channel);
    case 'RecordChannelTest':
      return tested(command, channel);
    case 'RemoveChannel':
      mindVersion('The channel', command.data.seen, channel.version);
      return [{ type: 'ChannelRemoved', data: id }];
    default:
      return keep(command, channel);
  }
}

function change({ data }: ChangeChannel, channel: Channel): readonly ChannelFact[] {
  mindVersion('The channel', data.seen, channel.version);
  const { uid, channelId, name = channel.name, target = channel.target, enabled } = data;
  const id = { uid, channelId };
  const isDisabled = channel.status === 'disabled';
  return [
    ...(name === channel.name || name === null
      ? []
      : [{ type: 'ChannelRenamed', data: { ...id, personal: { of: uid, name } } } as const]),
    ...(target === channel.target || target === null
      ? []
      : [{ type: 'ChannelRetargeted', data: { ...id, personal: { of: uid, target } } } as const]),
    ...(enabled === true && isDisabled ? [{ type: 'ChannelEnabled', data: id } as const] : []),
    ...(enabled === false && !isDisabled
      ? [{ type: 'ChannelDisabled', data: { ...id, reason: 'owner' } } as const]
      : []),
  ];
}

function issueCode({ data }: IssueChannelCode, channel: Channel): readonly ChannelFact[] {
  const { uid, channelId, code, target, now } = data;
  mustBePending(channel);
  mustBeTarget(channel, target);
  const recent = channel.codesAt.filter(at => at > now - CODES.within);
  if (recent.length >= CODES.most)
    throw new Rejected('limited', 'too_many_attempts', 'Too many codes were sent; wait a while', {
      retry_after_s: Math.ceil((recent.at(-CODES.most)! + CODES.within - now) / 1_000),
    });
  const personal = { of: uid, code };
  return [{ type: 'ChannelCodeIssued', data: { uid, channelId, expiresAt: now + CODE_LASTS, personal } }];
}

/** A right code, or a wrong one, which is a fact too as long as it could have been right. */
function confirmCode({ data }: ConfirmChannelCode, channel: Channel): readonly ChannelFact[] {
  const id = { uid: data.uid, channelId: data.channelId };
  if (DELIVERABLE.includes(channel.status)) return [];
  mustBePending(channel);
  const { code } = channel;
  if (!code || code.expiresAt <= data.now || code.wrong >= CODES.wrong) throw wrongChannelCode();
  return [{ type: code.value === data.code ? 'ChannelVerified' : 'ChannelCodeRefused', data: id }];
}

function confirmChallenge({ data }: ConfirmChallenge, channel: Channel): readonly ChannelFact[] {
  if (DELIVERABLE.includes(channel.status)) return [];
  mustBePending(channel);
  mustBeTarget(channel, data.target);
  return [{ type: 'ChannelVerified', data: { uid: data.uid, channelId: data.channelId } }];
}

/** What another target was sent, or echoed, says nothing of this one. */
function mustBeTarget(channel: Channel, target: string): void {
  if (target !== channel.target)
    throw new Rejected('conflict', 'version_conflict', 'The target was changed meanwhile; verify it again');
}

function mustBePending({ status }: Channel): void {
  if (status === 'pending_verification') return;
  const hint = status === 'disabled' ? 'enable it first' : 'there is nothing to verify';
  throw new Rejected('conflict', 'invalid_state', `The channel is ${status}: ${hint}`, { status });
}

/** What is gone for good is so at once: whoever tests is looking. */
function tested({ data }: RecordChannelTest, channel: Channel): readonly ChannelFact[] {
  const { uid, channelId, outcome } = data;
  const id = { uid, channelId };
  const isGone = outcome.statusCode === GONE;
  return [
    { type: 'ChannelTested', data: { ...id, ...outcome } },
    ...(isGone ? keep({ type: 'DisableChannel', data: { ...id, reason: 'gone' } }, channel) : []),
  ];
}

/** In all other states somebody was first, and nothing is to do. */
function keep({ type, data }: KeepChannel, { status }: Channel): readonly ChannelFact[] {
  const { uid, channelId } = data;
  const id = { uid, channelId };
  if (type === 'MarkChannelFailing') return status === 'active' ? [{ type: 'ChannelFailing', data: id }] : [];
  if (type === 'MarkChannelRecovered')
    return status === 'failing' ? [{ type: 'ChannelRecovered', data: id }] : [];
  const { reason } = data;
  return DELIVERABLE.includes(status) ? [{ type: 'ChannelDisabled', data: { ...id, reason } }] : [];
}

/** One way to tell one user. */
export const channels: Decider<ChannelCommand, ChannelFact, ChannelState> = {
  category: 'channel',
  idOf: ({ data: { uid, channelId } }) => `${uid}.${channelId}`,
  initialState,
  decide,
  evolve,
};
