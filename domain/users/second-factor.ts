import { Rejected } from '../rejected.js';
import { attemptsOf } from './attempts.js';
import type { ConfirmTotp, EnrolTotp, VerifySecondFactor } from './commands.js';
import type { UserFact } from './facts.js';
import type { UserState } from './state.js';

export function enrol({ data: { uid, secret } }: EnrolTotp, { totp }: UserState): readonly UserFact[] {
  if (totp?.confirmed)
    throw new Rejected('conflict', 'totp_already_enabled', 'A second factor is in use; disable it first');
  return [{ type: 'TotpEnrolled', data: { uid, personal: { of: uid, secret } } }];
}

export function confirm(
  { data: { uid, step, hashes } }: ConfirmTotp,
  { totp }: UserState,
): readonly UserFact[] {
  if (!totp || totp.confirmed)
    throw new Rejected('conflict', 'totp_not_enrolled', 'There is no second factor to confirm; enroll first');
  if (step === null) throw new Rejected('unauthorized', 'invalid_2fa_code', 'The code is not right');
  return [
    { type: 'TotpConfirmed', data: { uid, step } },
    { type: 'RecoveryCodesIssued', data: { uid, hashes } },
  ];
}

/** A right code, a recovery code, or a wrong one, which is a fact too. */
export function verify(
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

/** @throws Rejected where there is no second factor in use */
export function enabled({ totp }: UserState): NonNullable<UserState['totp']> {
  if (!totp?.confirmed) throw new Rejected('conflict', 'totp_not_enabled', 'The user has no second factor');
  return totp;
}
