import type { FlagValue, ProfileUpdated } from '../domain/users/facts.js';
import { Rejected } from '../domain/rejected.js';
import { iso } from '../domain/time.js';
import { attemptsOf } from '../domain/users/attempts.js';
import { users } from '../domain/users/decider.js';
import type { UserState } from '../domain/users/state.js';
import type { Context, Handle, Load } from './engine/handle.js';
import type { Register } from './registration.js';
import { newRecoveryCodes, newSecret, otpauthUri, recoveryHash, stepOf } from './totp.js';

export type ProfileChanges = {
  readonly name?: string;
  readonly avatarUrl?: string | null;
  readonly timezone?: string;
  readonly locale?: string;
};
/** Shown once: the secret, and the same as an address for apps. */
export type Enrolled = { readonly secret: string; readonly uri: string; readonly position: number | null };
export type WithRecoveryCodes = {
  readonly recoveryCodes: readonly string[];
  readonly position: number | null;
};
export type Verified = {
  readonly method: 'totp' | 'recovery_code';
  readonly verifiedAt: number;
  readonly recoveryCodesLeft: number;
  readonly position: number | null;
};

export type UserCommands = ReturnType<typeof userCommands>;

type Deps = {
  readonly handle: Handle;
  readonly load: Load;
  readonly register: Register;
  /** Ends the memberships of somebody who is to be erased. @throws Rejected where groups would be nobody's */
  readonly leaveGroups: (uid: string, context: Context) => Promise<void>;
  /** Does away with what is left of an erased user, once the read models hold the fact at `position`. */
  readonly finishErasure: (uid: string, position: number, context: Context) => Promise<boolean>;
};

export function userCommands({ handle, load, register, leaveGroups, finishErasure }: Deps) {
  const stateOf = (uid: string): Promise<UserState> => load(users, uid);
  const stepIn = ({ totp }: UserState, code: string, now: number) => totp && stepOf(totp.secret, code, now);

  /** @throws Rejected 401 for a wrong code, 429 after too many, 409 when there is no second factor */
  const verify = async (uid: string, code: string, context: Context): Promise<Verified> => {
    const now = context.at;
    const before = await stateOf(uid);
    const data = { uid, step: stepIn(before, code, now), hash: recoveryHash(code), now };
    const { facts, after, position } = await handle(users, { type: 'VerifySecondFactor', data }, context);
    const [fact] = facts;
    if (fact?.type !== 'SecondFactorVerified') throw wrongCode(after, now);
    return {
      method: fact.data.step === null ? 'recovery_code' : 'totp',
      verifiedAt: now,
      recoveryCodesLeft: after.recovery.length,
      position,
    };
  };

  return {
    register,
    verify,
    updateProfile: (uid: string, changes: ProfileChanges, context: Context) =>
      handle(users, { type: 'UpdateProfile', data: profileOf(uid, changes) }, context),
    /** null takes the flag away. */
    setFlag: (uid: string, flag: string, value: FlagValue | null, context: Context) =>
      handle(users, { type: 'SetUiFlag', data: { uid, flag, value } }, context),

    /** A new secret, worth nothing until it is confirmed. `account`: how an app shall call it. */
    async enrol(uid: string, account: string, context: Context): Promise<Enrolled> {
      const secret = newSecret();
      const { position } = await handle(users, { type: 'EnrolTotp', data: { uid, secret } }, context);
      return { secret, uri: otpauthUri(secret, account), position };
    },
    async confirm(uid: string, code: string, context: Context): Promise<WithRecoveryCodes> {
      const before = await stateOf(uid);
      const step = stepIn(before, code, context.at);
      const recoveryCodes = newRecoveryCodes();
      const data = { uid, step, hashes: recoveryCodes.map(recoveryHash) };
      const { position } = await handle(users, { type: 'ConfirmTotp', data }, context);
      return { recoveryCodes, position };
    },
    /** Who asks must show the second factor: a token alone shall not take it away. */
    async disable(uid: string, code: string, context: Context) {
      await verify(uid, code, context);
      return handle(users, { type: 'DisableTotp', data: { uid } }, context);
    },
    /** New ones, for a code; the old ones are worth nothing any more. */
    async renewRecoveryCodes(uid: string, code: string, context: Context): Promise<WithRecoveryCodes> {
      await verify(uid, code, context);
      const recoveryCodes = newRecoveryCodes();
      const data = { uid, hashes: recoveryCodes.map(recoveryHash) };
      const { position } = await handle(users, { type: 'RenewRecoveryCodes', data }, context);
      return { recoveryCodes, position };
    },

    /**
     * Ends a user for good: tokens stop, memberships end, and what is personal in facts is noise from then
     * on. `cleared` false: read models were too far behind; the reactor `erasure` does the rest when they
     * have caught up.
     * @throws Rejected 409 `last_owner`, and nothing is done
     */
    async erase(
      uid: string,
      context: Context,
    ): Promise<{ readonly position: number | null; readonly cleared: boolean }> {
      await leaveGroups(uid, context);
      const { position } = await handle(users, { type: 'EraseUser', data: { uid } }, context);
      const cleared = position !== null && (await finishErasure(uid, position, context));
      return { position, cleared };
    },
  };
}

/** What is personal apart from what is not: it is sealed. */
function profileOf(uid: string, { name, avatarUrl, ...open }: ProfileChanges): ProfileUpdated['data'] {
  const personal = { ...(name !== undefined && { name }), ...(avatarUrl !== undefined && { avatarUrl }) };
  if (Object.keys(personal).length === 0) return { uid, ...open };
  return { uid, ...open, personal: { of: uid, ...personal } };
}

function wrongCode(state: UserState, now: number): Rejected {
  const { left, wholeAt } = attemptsOf(state, now);
  return new Rejected('unauthorized', 'invalid_2fa_code', 'The code is not right', {
    attempts_remaining: left,
    reset_at: wholeAt === null ? null : iso(wholeAt),
  });
}
