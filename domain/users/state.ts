import type { Fact } from '../fact.js';
import type { FlagValue, UserFact } from './facts.js';
import { ATTEMPTS } from './attempts.js';

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

export const initialState: UserState = {
  status: 'none',
  email: null,
  flags: {},
  totp: null,
  recovery: [],
  failures: [],
  verifiedAt: null,
};

export function evolve(state: UserState, { type, data, at }: Fact<UserFact>): UserState {
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
