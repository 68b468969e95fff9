import type { Message } from '../../fact.js';
import type { Personal } from '../../users/facts.js';

/** Where a user is told besides the feed. */
export const channelTypes = ['email', 'webhook', 'slack'] as const;
export type ChannelType = (typeof channelTypes)[number];

type OfChannel = { readonly uid: string; readonly channelId: string };

/** The status of a target that says that it is gone for good. */
export const GONE = 410;

/** What came of telling somebody something over a channel. `statusCode`: of HTTP, or of the mail server. */
export type Outcome = {
  readonly ok: boolean;
  readonly statusCode: number | null;
  /** Why it failed; null: it did not. */
  readonly reason: FailureReason | null;
};
export const failureReasons = [
  'status',
  'timed_out',
  'unreachable',
  'address_not_allowed',
  'answer_too_long',
  'not_echoed',
  'mail_unavailable',
] as const;
export type FailureReason = (typeof failureReasons)[number];

/**
 * `target`: an address of mail, or a URL. `secret`: what a webhook's messages are signed with (`whsec_` and
 * base64); null for others. The names that people give are theirs, too.
 */
export type ChannelAdded = Message<
  'ChannelAdded',
  OfChannel & {
    readonly channelType: ChannelType;
    readonly personal: Personal<{
      readonly name: string;
      readonly target: string;
      readonly secret: string | null;
    }>;
  }
>;
/** What is absent stays. */
export type ChannelRenamed = Message<
  'ChannelRenamed',
  OfChannel & { readonly personal: Personal<{ readonly name: string }> }
>;
/** It has to be verified again. */
export type ChannelRetargeted = Message<
  'ChannelRetargeted',
  OfChannel & { readonly personal: Personal<{ readonly target: string }> }
>;
/** A code is on its way to the target; codes of before are worth nothing any more. `expiresAt`: epoch ms. */
export type ChannelCodeIssued = Message<
  'ChannelCodeIssued',
  OfChannel & { readonly expiresAt: number; readonly personal: Personal<{ readonly code: string }> }
>;
/** Somebody gave a wrong code. */
export type ChannelCodeRefused = Message<'ChannelCodeRefused', OfChannel>;
/** The code was given, or the challenge was echoed. */
export type ChannelVerified = Message<'ChannelVerified', OfChannel>;
/** A message was sent because its owner wanted to see whether it comes. */
export type ChannelTested = Message<'ChannelTested', OfChannel & Outcome>;
/** Too many attempts in a row failed; it is still tried. */
export type ChannelFailing = Message<'ChannelFailing', OfChannel>;
export type ChannelRecovered = Message<'ChannelRecovered', OfChannel>;
/** `gone`: the target answered 410. `failing`: for too long. `owner`: who it belongs to wanted it. */
export type ChannelDisabled = Message<
  'ChannelDisabled',
  OfChannel & { readonly reason: 'gone' | 'failing' | 'owner' }
>;
/** It has to be verified again. */
export type ChannelEnabled = Message<'ChannelEnabled', OfChannel>;
export type ChannelRemoved = Message<'ChannelRemoved', OfChannel>;

export type ChannelFact =
  | ChannelAdded
  | ChannelRenamed
  | ChannelRetargeted
  | ChannelCodeIssued
  | ChannelCodeRefused
  | ChannelVerified
  | ChannelTested
  | ChannelFailing
  | ChannelRecovered
  | ChannelDisabled
  | ChannelEnabled
  | ChannelRemoved;
