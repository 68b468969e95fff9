import { createHmac } from 'node:crypto';
import { plainEmail } from '../domain/users/email.js';
import { Rejected } from '../domain/rejected.js';
import { users } from '../domain/users/decider.js';
import { emails, emailTaken } from '../domain/users/emails.js';
import type { Context, Handle, Load } from './engine/handle.js';
import type { Vault } from './ports/vault.js';

export type NewUser = { readonly uid: string; readonly email: string; readonly name: string };
/**
 * Answers the position of the user's last fact. @throws Rejected 409 `email_taken`: a user who is there has
 * this address
 */
export type Register = (user: NewUser, context: Context) => Promise<number | null>;

type Deps = {
  readonly handle: Handle;
  readonly load: Load;
  readonly vault: Pick<Vault, 'key'>;
  readonly cell: string;
};

/** Whose key it is that addresses are hashed with: nobody's, the platform's own. */
const SUBJECT = 'emails';

/** An address as it is written in the name of its journal. */
const hashing =
  (vault: Deps['vault']) =>
  async (email: string): Promise<string> => {
    const key = await vault.key(SUBJECT);
    if (!key) throw new Error('the key of email addresses was thrown away');
    return createHmac('sha256', key).update(plainEmail(email)).digest('hex');
  };

/** Who has registered with an address; null: nobody who is there. */
export const accountsByEmail = ({ load, vault }: Pick<Deps, 'load' | 'vault'>) => {
  const hashOf = hashing(vault);
  return async (email: string): Promise<string | null> => {
    const { holder } = await load(emails, await hashOf(email));
    if (holder === null) return null;
    return (await load(users, holder)).status === 'active' ? holder : null;
  };
};

/**
 * Makes users, one for an address, however many try at once: first the address is claimed, in a journal of
 * its own whose name is a keyed hash of it, then the user is there. A claim counts while its user lives.
 * Whoever claimed and is no user was erased, or came to grief in between: that uid is closed for good before
 * the address is taken over, so that it cannot come late.
 */
export function registering({ handle, load, vault, cell }: Deps): Register {
  const hashOf = hashing(vault);
  /** Closes the uid for good where nobody was registered under it. */
  const lives = async (uid: string, context: Context): Promise<boolean> => {
    const { after } = await handle(users, { type: 'AbandonUser', data: { uid } }, context);
    return after.status === 'active';
  };

  const claim = async (uid: string, email: string, context: Context): Promise<void> => {
    const hash = await hashOf(email);
    const { holder } = await load(emails, hash);
    if (holder !== null && holder !== uid && (await lives(holder, context))) throw emailTaken(holder);
    await handle(emails, { type: 'ClaimEmail', data: { hash, uid, instead: holder } }, context);
  };

  return async ({ uid, email, name }, context) => {
    await claim(uid, email, context);
    const data = { uid, homeCell: cell, personal: { of: uid, email, name } };
    const { after, position } = await handle(users, { type: 'RegisterUser', data }, context);
    if (after.status !== 'active')
      throw new Rejected(
        'conflict',
        'email_taken',
        'Somebody else was registered with this email address just now',
      );
    return position;
  };
}
