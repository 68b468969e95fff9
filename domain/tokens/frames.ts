import type { Fact } from '../fact.js';
import type { Channel, Frames, Tells } from '../realtime/frame.js';
import type { ApiTokenReplaced, ApiTokenRevoked } from './facts.js';

type Ended = Fact<ApiTokenRevoked | ApiTokenReplaced>;
/** Whose token it is, by the SHA-256 (hex) of its value; null: it is not known. */
export type FindOwner = (hash: string) => Promise<string | null>;

/** What is told of tokens: to their owners, when one works no longer. */
export function tokenFrames(find: FindOwner): Frames {
  const revoked: Tells = {
    event: 'token.revoked',
    async channels({ type, data, at }: Ended): Promise<readonly Channel[]> {
      if (type === 'ApiTokenReplaced' && data.until > at) return [];
      const uid = await find(data.hash);
      return uid === null ? [] : [`user:${uid}`];
    },
    data: ({ data }: Ended) => ({ token_id: data.tokenId }),
  };
  return { ApiTokenRevoked: revoked, ApiTokenReplaced: revoked };
}
