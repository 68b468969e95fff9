import type { Message } from '../../fact.js';
import type { ChannelDisabled, ChannelType, Outcome } from './facts.js';

type OfChannel = { readonly uid: string; readonly channelId: string };

/** `seen`: the version that is meant; null, and absent: whichever there is. */
type Seen = { readonly seen?: number | null };

/** `secret`: made by the caller; null where messages are not signed. */
export type AddChannel = Message<
  'AddChannel',
  OfChannel & {
    readonly channelType: ChannelType;
    readonly name: string;
    readonly target: string;
    readonly secret: string | null;
  }
>;
/** What is absent stays. */
export type ChangeChannel = Message<
  'ChangeChannel',
  OfChannel & Seen & { readonly name?: string; readonly target?: string; readonly enabled?: boolean }
>;
/** `code`: made by the caller. `target`: where it is sent. */
export type IssueChannelCode = Message<
  'IssueChannelCode',
  OfChannel & { readonly code: string; readonly target: string; readonly now: number }
>;
export type ConfirmChannelCode = Message<
  'ConfirmChannelCode',
  OfChannel & { readonly code: string; readonly now: number }
>;
/** The target echoed what it was sent. `target`: as it was when it was asked. */
export type ConfirmChallenge = Message<'ConfirmChallenge', OfChannel & { readonly target: string }>;
export type RecordChannelTest = Message<'RecordChannelTest', OfChannel & { readonly outcome: Outcome }>;
export type RemoveChannel = Message<'RemoveChannel', OfChannel & Seen>;

/** What follows from how a channel does, and from time: nobody asks for it. */
export type KeepChannel =
  | Message<'MarkChannelFailing', OfChannel>
  | Message<'MarkChannelRecovered', OfChannel>
  | Message<'DisableChannel', OfChannel & { readonly reason: ChannelDisabled['data']['reason'] }>;

export type ChannelCommand =
  | AddChannel
  | ChangeChannel
  | IssueChannelCode
  | ConfirmChannelCode
  | ConfirmChallenge
  | RecordChannelTest
  | RemoveChannel
  | KeepChannel;
