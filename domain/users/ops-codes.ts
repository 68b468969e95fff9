import type { Decider } from '../decider.js';
import type { Fact, Message } from '../fact.js';
import { Rejected } from '../rejected.js';
import { MINUTE } from '../time.js';

/** A one-time sign-in code: `hash` (SHA-256, hex) is its identity, the code itself is nowhere. */
type OfCode = { readonly hash: string };
export type OpsCodeIssued = Message<
  'OpsCodeIssued',
  OfCode & { readonly uid: string; readonly redirectUri: string; readonly expiresAt: number }
>;
export type OpsCodeExchanged = Message<'OpsCodeExchanged', OfCode>;
/** Somebody gave a code that was used before. */
export type OpsCodeReplayed = Message<'OpsCodeReplayed', OfCode>;
export type OpsCodeFact = OpsCodeIssued | OpsCodeExchanged | OpsCodeReplayed;

export type IssueOpsCode = Message<
  'IssueOpsCode',
  OfCode & { readonly uid: string; readonly redirectUri: string; readonly now: number }
>;
export type ExchangeOpsCode = Message<
  'ExchangeOpsCode',
  OfCode & { readonly redirectUri: string; readonly now: number }
>;
export type OpsCodeState = { readonly issued: OpsCodeIssued['data'] | null; readonly used: boolean };

export const OPS_CODE_LASTS = MINUTE;

/**
 * Used, expired, for another address or never made: one answer, without a hint which. A replay alone leaves a
 * trace.
 */
function decide(
  command: IssueOpsCode | ExchangeOpsCode,
  { issued, used }: OpsCodeState,
): readonly OpsCodeFact[] {
  const { hash } = command.data;
  if (command.type === 'IssueOpsCode') {
    if (issued) return [];
    const { uid, redirectUri, now } = command.data;
    const expiresAt = now + OPS_CODE_LASTS;
    return [{ type: 'OpsCodeIssued', data: { hash, uid, redirectUri, expiresAt } }];
  }
  if (used) return [{ type: 'OpsCodeReplayed', data: { hash } }];
  if (!issued || issued.expiresAt <= command.data.now || issued.redirectUri !== command.data.redirectUri)
    throw invalidCode();
  return [{ type: 'OpsCodeExchanged', data: { hash } }];
}

export const invalidCode = () => new Rejected('invalid', 'invalid_code', 'The code is not valid');

const evolve = (state: OpsCodeState, { type, data }: Fact<OpsCodeFact>): OpsCodeState =>
  type === 'OpsCodeIssued' ? { issued: data, used: false } : { ...state, used: true };

export const opsCodes: Decider<IssueOpsCode | ExchangeOpsCode, OpsCodeFact, OpsCodeState> = {
  category: 'ops_code',
  idOf: ({ data }) => data.hash,
  initialState: { issued: null, used: false },
  decide,
  evolve,
};
