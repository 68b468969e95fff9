import type { ClearUser } from '../commands/erasure.js';
import { apiTokens, type ApiTokenIssued } from '../domain/api-tokens.js';
import type { Fact } from '../domain/fact.js';
import { users } from '../domain/users/decider.js';
import type { UserErased } from '../domain/users/facts.js';
import type { Reactor } from './reactor.js';

type Erasure = {
  readonly clear: ClearUser;
  /** Whether the read models of identities hold the fact at a position, within a bounded time. */
  readonly reached: (position: number) => Promise<boolean>;
};

/**
 * Finishes the erasure of users whatever crashed on the way: tokens revoked, key thrown away. A token that was on its way into the
 * log when its owner was erased is revoked as well.
 */
export const erasure = ({ clear, reached }: Erasure): Reactor => ({
  name: 'erasure', concurrency: 4,
  on: {
    UserErased: async ({ data: { uid }, position }: Fact<UserErased>, context) => {
      if (!await reached(position)) throw new Error(`the read models do not hold the erasure of ${uid} yet`);
      await clear(uid, context);
    },
    ApiTokenIssued: async ({ data: { uid, tokenId } }: Fact<ApiTokenIssued>, context, { handle, load }) => {
      const { status } = await load(users, { type: 'EraseUser', data: { uid } });
      if (status === 'erased') await handle(apiTokens, { type: 'RevokeApiToken', data: { uid, tokenId } }, context);
    },
  },
});
