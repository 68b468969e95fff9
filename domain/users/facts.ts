import type { Message } from '../fact.js';

/**
 * What is personal is sealed in the store under a key of that person (`of`), and null once they are erased.
 */
export type Personal<T extends object> = ({ readonly of: string } & T) | null;
type OfUser = { readonly uid: string };

export type UserRegistered = Message<
  'UserRegistered',
  OfUser & {
    readonly homeCell: string;
    readonly personal: Personal<{ readonly email: string; readonly name: string }>;
  }
>;
/** What is absent stays. */
export type ProfileUpdated = Message<
  'ProfileUpdated',
  OfUser & {
    readonly timezone?: string;
    readonly locale?: string;
    readonly personal?: Personal<{ readonly name?: string; readonly avatarUrl?: string | null }>;
  }
>;
export type FlagValue = boolean | string | number;
/** null removes the flag. */
export type UiFlagSet = Message<
  'UiFlagSet',
  OfUser & { readonly flag: string; readonly value: FlagValue | null }
>;
/** A second factor waits to be confirmed; `secret` in base 32. */
export type TotpEnrolled = Message<
  'TotpEnrolled',
  OfUser & { readonly personal: Personal<{ readonly secret: string }> }
>;
/** `step`: the time step of the code that proved it (RFC 6238: 30 s from the epoch). */
export type TotpConfirmed = Message<'TotpConfirmed', OfUser & { readonly step: number }>;
export type TotpDisabled = Message<'TotpDisabled', OfUser>;
/** SHA-256 (hex) of each code; codes issued before are worth nothing any more. */
export type RecoveryCodesIssued = Message<
  'RecoveryCodesIssued',
  OfUser & { readonly hashes: readonly string[] }
>;
/** Either the step of the code, or the hash of the recovery code that is spent with it. */
export type SecondFactorVerified = Message<
  'SecondFactorVerified',
  OfUser & { readonly step: number | null; readonly hash: string | null }
>;
export type SecondFactorFailed = Message<'SecondFactorFailed', OfUser>;
export type UserErased = Message<'UserErased', OfUser>;

export type UserFact =
  | UserRegistered
  | ProfileUpdated
  | UiFlagSet
  | TotpEnrolled
  | TotpConfirmed
  | TotpDisabled
  | RecoveryCodesIssued
  | SecondFactorVerified
  | SecondFactorFailed
  | UserErased;
