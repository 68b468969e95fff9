import type { Decider } from '../decider.js';
import type { Fact, Message } from '../fact.js';
import { Rejected } from '../rejected.js';

/** An address by a keyed hash of it (hex): the address itself is nowhere. */
type OfEmail = { readonly hash: string };
/** The address is this user's, as long as they are there: an erased user lets go of it. */
export type EmailClaimed = Message<'EmailClaimed', OfEmail & { readonly uid: string }>;
/** `instead`: of whom it may be taken over, since they are no user (any more). */
export type ClaimEmail = Message<
  'ClaimEmail',
  OfEmail & { readonly uid: string; readonly instead: string | null }
>;
export type EmailState = { readonly holder: string | null };

function decide(
  { data: { hash, uid, instead } }: ClaimEmail,
  { holder }: EmailState,
): readonly EmailClaimed[] {
  if (holder === uid) return [];
  if (holder !== null && holder !== instead) throw emailTaken(holder);
  return [{ type: 'EmailClaimed', data: { hash, uid } }];
}

/** For operators, who alone make users. */
export const emailTaken = (holder: string) =>
  new Rejected('conflict', 'email_taken', `There is a user with this email address: ${holder}`, {
    uid: holder,
  });

const evolve = (_: EmailState, { data: { uid } }: Fact<EmailClaimed>): EmailState => ({ holder: uid });

export const emails: Decider<ClaimEmail, EmailClaimed, EmailState> = {
  category: 'email',
  idOf: ({ data }) => data.hash,
  initialState: { holder: null },
  decide,
  evolve,
};
