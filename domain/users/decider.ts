import type { Decider } from '../decider.js';
import type { Fact, Message } from '../fact.js';
import { Rejected } from '../rejected.js';
import { MINUTE } from '../time.js';
import type { FlagValue, ProfileUpdated, UserFact, UserRegistered } from './facts.js';

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

export type UserState = {
  readonly status: 'none' | 'active' | 'erased';
  /** Null once its key was thrown away. */
  readonly email: string | null;
  readonly flags: Readonly<Record<string, FlagValue>>;
  /** `lastStep`: codes of it and of earlier steps are spent. */
  readonly totp: { readonly secret: string; readonly confirmed: boolean; readonly lastStep: number } | null;
  readonly recovery: readonly string[];
  /** When wrong codes were given since the last right one. */
  readonly failures: readonly number[];
  readonly verifiedAt: number | null;
};

export const MAX_FLAGS = 200;
/** So many wrong codes in so long; then none is looked at for as long again. */
export const ATTEMPTS = { most: 5, within: 15 * MINUTE } as const;

const initialState: UserState = {
  status: 'none',
  email: null,
  flags: {},
  totp: null,
  recovery: [],
  failures: [],
  verifiedAt: null,
};

function decide(command: UserCommand, state: UserState): readonly UserFact[] {
  if (command.type === 'RegisterUser')
    return state.status === 'none' ? [{ type: 'UserRegistered', data: command.data }] : [];
  if (command.type === 'AbandonUser')
    return state.status === 'none' ? [{ type: 'UserErased', data: { uid: command.data.uid } }] : [];
  if (command.type === 'EraseUser' && state.status === 'erased') return [];
  if (state.status !== 'active') throw new Rejected('missing', 'not_found', 'User not found');
  const { uid } = command.data;
  switch (command.type) {
    case 'UpdateProfile':
      return Object.keys(command.data).length > 1 ? [{ type: 'ProfileUpdated', data: command.data }] : [];
    case 'SetUiFlag':
      return setFlag(command, state);
    case 'EnrolTotp':
      if (state.totp?.confirmed)
        throw new Rejected('conflict', 'totp_already_enabled', 'A second factor is in use; disable it first');
      return [{ type: 'TotpEnrolled', data: { uid, personal: { of: uid, secret: command.data.secret } } }];
    case 'ConfirmTotp':
      return confirm(command, state);
    case 'DisableTotp':
      return state.totp ? [{ type: 'TotpDisabled', data: { uid } }] : [];
    case 'RenewRecoveryCodes':
      enabled(state);
      return [{ type: 'RecoveryCodesIssued', data: { uid, hashes: command.data.hashes } }];
    case 'VerifySecondFactor':
      return verify(command, state);
    case 'EraseUser':
      return [{ type: 'UserErased', data: { uid } }];
  }
}

function setFlag({ data }: SetUiFlag, { flags }: UserState): readonly UserFact[] {
  const is = Object.hasOwn(flags, data.flag) ? flags[data.flag]! : null;
  if (is === data.value) return [];
  if (is === null && Object.keys(flags).length >= MAX_FLAGS)
    throw new Rejected('unprocessable', 'validation_error', `At most ${MAX_FLAGS} flags are possible`);
  return [{ type: 'UiFlagSet', data }];
}

function confirm({ data: { uid, step, hashes } }: ConfirmTotp, { totp }: UserState): readonly UserFact[] {
  if (!totp || totp.confirmed)
    throw new Rejected('conflict', 'totp_not_enrolled', 'There is no second factor to confirm; enroll first');
  if (step === null) throw new Rejected('unauthorized', 'invalid_2fa_code', 'The code is not right');
  return [
    { type: 'TotpConfirmed', data: { uid, step } },
    { type: 'RecoveryCodesIssued', data: { uid, hashes } },
  ];
}

function verify(
  { data: { uid, step, hash, now } }: VerifySecondFactor,
  state: UserState,
): readonly UserFact[] {
  const { lastStep } = enabled(state);
  const { left, wholeAt } = attemptsOf(state, now);
  if (left === 0)
    throw new Rejected('limited', 'too_many_attempts', 'Too many wrong codes', {
      retry_after_s: Math.ceil((wholeAt! - now) / 1000),
    });
  if (step !== null && step > lastStep)
    return [{ type: 'SecondFactorVerified', data: { uid, step, hash: null } }];
  if (state.recovery.includes(hash))
    return [{ type: 'SecondFactorVerified', data: { uid, step: null, hash } }];
  return [{ type: 'SecondFactorFailed', data: { uid } }];
}

function enabled({ totp }: UserState): NonNullable<UserState['totp']> {
  if (!totp?.confirmed) throw new Rejected('conflict', 'totp_not_enabled', 'The user has no second factor');
  return totp;
}

/**
 * How many wrong codes may still be given, and when all of them may be again (null: they may now); epoch ms.
 */
export function attemptsOf(
  { failures }: Pick<UserState, 'failures'>,
  now: number,
): { readonly left: number; readonly wholeAt: number | null } {
  const last = failures.at(-1);
  const first = failures.at(-ATTEMPTS.most);
  if (last === undefined || now >= last + ATTEMPTS.within) return { left: ATTEMPTS.most, wholeAt: null };
  const wholeAt = last + ATTEMPTS.within;
  const locked = first !== undefined && last - first < ATTEMPTS.within;
  const recent = failures.filter(at => at > now - ATTEMPTS.within).length;
  return { left: locked ? 0 : ATTEMPTS.most - recent, wholeAt };
}

function evolve(state: UserState, { type, data, at }: Fact<UserFact>): UserState {
  switch (type) {
    case 'UserRegistered':
      return { ...initialState, status: 'active', email: data.personal?.email ?? null };
    case 'ProfileUpdated':
      return state;
    case 'UiFlagSet':
      return { ...state, flags: withFlag(state.flags, data.flag, data.value) };
    case 'TotpEnrolled':
      return {
        ...state,
        totp: data.personal && { secret: data.personal.secret, confirmed: false, lastStep: -1 },
      };
    case 'TotpConfirmed':
      return {
        ...state,
        totp: state.totp && { ...state.totp, confirmed: true, lastStep: data.step },
        failures: [],
      };
    case 'TotpDisabled':
      return { ...state, totp: null, recovery: [], failures: [] };
    case 'RecoveryCodesIssued':
      return { ...state, recovery: data.hashes };
    case 'SecondFactorVerified':
      return {
        ...state,
        failures: [],
        verifiedAt: at,
        recovery: state.recovery.filter(hash => hash !== data.hash),
        totp: state.totp && { ...state.totp, lastStep: Math.max(state.totp.lastStep, data.step ?? -1) },
      };
    case 'SecondFactorFailed':
      return { ...state, failures: [...state.failures.slice(1 - ATTEMPTS.most), at] };
    case 'UserErased':
      return { ...initialState, status: 'erased', email: state.email };
  }
}

/** The flags with one set, or taken away by null. */
export function withFlag(
  flags: UserState['flags'],
  flag: string,
  value: FlagValue | null,
): UserState['flags'] {
  const { [flag]: _, ...others } = flags;
  return value === null ? others : { ...others, [flag]: value };
}

export const users: Decider<UserCommand, UserFact, UserState> = {
  category: 'user',
  idOf: ({ data }) => data.uid,
  initialState,
  decide,
  evolve,
};
