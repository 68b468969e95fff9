import { invalidCode, OPS_CODE_LASTS, opsCodes } from '../domain/users/ops-codes.js';
import { Rejected } from '../domain/rejected.js';
import { unwritten, type Context, type Handle } from './engine/handle.js';
import { newLinkSecret, secretHash } from './engine/secrets.js';

/** `code` is the one time it is seen. */
export type SignInCode = { readonly code: string; readonly redirectTo: string; readonly expiresAt: number };
export type OpsCommands = ReturnType<typeof opsCommands>;

/**
 * Sign-in of a user with an internal application. `allowed`: addresses a code may be sent to, exactly as
 * written.
 */
export const opsCommands = (handle: Handle, allowed: readonly string[]) => ({
  async authorize(uid: string, redirectUri: string, context: Context): Promise<SignInCode> {
    if (!allowed.includes(redirectUri)) throw redirectNotAllowed;
    const code = newLinkSecret();
    const data = { hash: secretHash(code), uid, redirectUri, now: context.at };
    await handle(opsCodes, { type: 'IssueOpsCode', data }, context, unwritten(opsCodes));
    const redirectTo = new URL(redirectUri);
    redirectTo.searchParams.set('code', code);
    return { code, redirectTo: redirectTo.href, expiresAt: context.at + OPS_CODE_LASTS };
  },
  /** Whose code it is; works once. @throws Rejected 400 without a hint why */
  async exchange(code: string, redirectUri: string, context: Context): Promise<string> {
    const data = { hash: secretHash(code), redirectUri, now: context.at };
    const { facts, after } = await handle(opsCodes, { type: 'ExchangeOpsCode', data }, context);
    const [fact] = facts;
    if (fact?.type !== 'OpsCodeExchanged') throw invalidCode();
    return after.issued!.uid;
  },
});

const redirectNotAllowed = new Rejected(
  'invalid',
  'redirect_uri_not_allowed',
  'This address is not on the list of allowed ones',
);
