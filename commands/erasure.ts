import { apiTokens } from '../domain/api-tokens.js';
import type { Context, Handle } from './handle.js';
import type { TokenUses } from './token-uses.js';
import type { Vault } from './vault.js';

export type Erasing = {
  readonly handle: Handle; readonly vault: Pick<Vault, 'known' | 'destroy'>; readonly uses: Pick<TokenUses, 'forget'>;
  /** All tokens a user ever had, as the read models know them. */
  readonly tokensOf: (uid: string) => Promise<readonly { readonly tokenId: string; readonly revoked: boolean }[]>;
  /** Overwrites what was deleted in the files of derived stores. */
  readonly scrub: () => Promise<void>;
};
export type ClearUser = (uid: string, context: Context) => Promise<void>;

/**
 * What follows from a `UserErased`, once the read models hold it: tokens are revoked, traces in derived stores overwritten, and
 * last of all the key is thrown away. May be done again at any time: what is done is found done.
 */
export const clearing = ({ handle, vault, uses, tokensOf, scrub }: Erasing): ClearUser => async (uid, context) => {
  const tokens = await tokensOf(uid);
  for (const { tokenId, revoked } of tokens)
    if (!revoked) await handle(apiTokens, { type: 'RevokeApiToken', data: { tokenId, uid } }, context);
  if (await vault.known(uid) === null) return;
  await uses.forget(tokens.map(({ tokenId }) => tokenId));
  await scrub();
  await vault.destroy(uid);
};
