import type { Fact } from '../fact.js';
import type { ApiTokenFact, ApiTokenIssued } from './facts.js';

/**
 * `replaced`: another (`by`) took its place, it works until then (epoch ms) yet. `issuedAt`: epoch ms.
 * `admitted`: to these workspaces by name. `version`: counts how often it was changed, from 1.
 */
export type ApiTokenState = {
  readonly token: ApiTokenIssued['data'] | null;
  readonly issuedAt: number;
  readonly status: 'active' | 'replaced' | 'revoked';
  readonly replaced: { readonly by: string; readonly until: number } | null;
  readonly admitted: readonly string[];
  readonly version: number;
};

export const initialState: ApiTokenState = {
  ...{ token: null, issuedAt: 0, status: 'active', replaced: null, admitted: [], version: 0 },
};

export function evolve(state: ApiTokenState, { type, data, at }: Fact<ApiTokenFact>): ApiTokenState {
  switch (type) {
    case 'ApiTokenIssued':
      return { ...initialState, token: data, issuedAt: at, version: 1 };
    case 'ApiTokenAdmitted':
      return { ...state, admitted: [...new Set([...state.admitted, data.workspaceId])] };
    case 'ApiTokenWithdrawn':
      return data.until !== null && data.until > at
        ? state
        : { ...state, admitted: state.admitted.filter(id => id !== data.workspaceId) };
    case 'ApiTokenChanged':
      return {
        ...state,
        token: state.token && { ...state.token, ...data.changes },
        version: state.version + 1,
      };
    // On its way out it cannot be changed or replaced again, but ended at once
    case 'ApiTokenReplaced': {
      const { by, until } = data;
      return { ...state, status: until > at ? 'replaced' : 'revoked', replaced: { by, until } };
    }
    case 'ApiTokenRevoked':
      return { ...state, status: 'revoked' };
  }
}
