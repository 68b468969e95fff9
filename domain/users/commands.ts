import type { Message } from '../fact.js';
import type { FlagValue, ProfileUpdated, UserRegistered } from './facts.js';

type OfUser = { readonly uid: string };
export type RegisterUser = Message<'RegisterUser', UserRegistered['data']>;
export type UpdateProfile = Message<'UpdateProfile', ProfileUpdated['data']>;
export type SetUiFlag = Message<
  'SetUiFlag',
  OfUser & { readonly flag: string; readonly value: FlagValue | null }
>;
/** `secret`: base 32, made by the caller. */
export type EnrolTotp = Message<'EnrolTotp', OfUser & { readonly secret: string }>;
/** `step`: the time step whose code was given, within the drift allowed; null: none fits. */
export type ConfirmTotp = Message<
  'ConfirmTotp',
  OfUser & { readonly step: number | null; readonly hashes: readonly string[] }
>;
export type DisableTotp = Message<'DisableTotp', OfUser>;
export type RenewRecoveryCodes = Message<
  'RenewRecoveryCodes',
  OfUser & { readonly hashes: readonly string[] }
>;
/**
 * What the given code is, if it is anything: a step's code (`step`), or maybe a recovery code (its `hash`).
 */
export type VerifySecondFactor = Message<
  'VerifySecondFactor',
  OfUser & {
    readonly step: number | null;
    readonly hash: string;
    readonly now: number;
  }
>;
export type EraseUser = Message<'EraseUser', OfUser>;
/**
 * Nobody will be registered under this uid any more, where nobody is yet: a registration that never came to
 * its end.
 */
export type AbandonUser = Message<'AbandonUser', OfUser>;
export type UserCommand =
  | RegisterUser
  | UpdateProfile
  | SetUiFlag
  | EnrolTotp
  | ConfirmTotp
  | DisableTotp
  | RenewRecoveryCodes
  | VerifySecondFactor
  | EraseUser
  | AbandonUser;
