import type { Decider } from '../decider.js';
import { Rejected } from '../rejected.js';
import { iso } from '../time.js';
import { mindVersion } from '../versions.js';
import { admissionsAfter, admittedTo, withdrawnFrom } from './admissions.js';
import { checkBounds, checkScopes, endOf } from './bounds.js';
import type { ApiTokenCommand, ChangeApiToken, IssueApiToken } from './commands.js';
import type { ApiTokenChanged, ApiTokenFact, ApiTokenIssued } from './facts.js';
import { evolve, initialState, type ApiTokenState } from './state.js';

function decide(command: ApiTokenCommand, state: ApiTokenState): readonly ApiTokenFact[] {
  const { token, status, admitted, version } = state;
  if (command.type === 'IssueApiToken') return token ? [] : issue(command);
  const { tokenId, uid } = command.data;
  if (!token || (uid !== null && token.uid !== uid))
    throw new Rejected('missing', 'not_found', 'Token not found');
  const { hash } = token;
  if (command.type === 'RevokeApiToken') {
    const { now, seen } = command.data;
    if (status === 'revoked' || (now !== undefined && endIn(state) <= now)) return [];
    mindVersion('The token', seen, version);
    return [
      { type: 'ApiTokenRevoked', data: { tokenId, hash } },
      ...admitted.map(withdrawnFrom(token, null)),
    ];
  }
  if (status === 'revoked') throw new Rejected('conflict', 'token_revoked', 'The token is revoked');
  if (endIn(state) <= command.data.now)
    throw new Rejected('conflict', 'token_expired', 'The token has expired');
  if (state.replaced) throw isReplaced(state.replaced.by, iso(endIn(state)));
  if (command.type === 'ChangeApiToken') {
    mindVersion('The token', command.data.seen, version);
    return change(command, token, admitted);
  }
  const { by, until, within } = command.data;
  checkBounds(token, within);
  return [
    { type: 'ApiTokenReplaced', data: { tokenId, hash, by, until } },
    ...admitted.map(withdrawnFrom(token, until)),
  ];
}

/** When it ends, epoch ms; Infinity: never. */
const endIn = ({ token, replaced }: ApiTokenState): number =>
  Math.min(endOf({ expiresAt: token?.expiresAt ?? null }), replaced?.until ?? Infinity);

/** It works yet, but what it may do is said by the one in its place. */
const isReplaced = (by: string, until: string): Rejected =>
  new Rejected(
    'conflict',
    'token_revoked',
    `The token is replaced by ${by}, and works until ${until}; change that one`,
    { replaced_by: by, works_until: until },
  );

function issue({ data: { within, lifetime, ...given } }: IssueApiToken): readonly ApiTokenFact[] {
  const data = {
    ...given,
    scopes: inOrder(given.scopes),
    workspaceIds: given.workspaceIds && inOrder(given.workspaceIds),
  };
  checkScopes(data.scopes);
  checkBounds(data, within);
  if (lifetime && endOf(data) > lifetime.until)
    throw new Rejected(
      'forbidden',
      'token_lifetime_limited',
      `An organization of these workspaces lets tokens live for ${lifetime.days} days at most`,
      { max_days: lifetime.days },
    );
  return [{ type: 'ApiTokenIssued', data }, ...(data.workspaceIds ?? []).map(admittedTo(data))];
}

function change(
  { data }: ChangeApiToken,
  token: ApiTokenIssued['data'],
  admitted: readonly string[],
): readonly ApiTokenFact[] {
  const { tokenId, within } = data;
  const changes = changesTo(token, data.changes);
  if (changes.scopes || changes.workspaceIds !== undefined) {
    checkScopes(changes.scopes ?? []);
    checkBounds({ ...token, ...changes }, within);
  }
  if (Object.keys(changes).length === 0) return [];
  return [
    { type: 'ApiTokenChanged', data: { tokenId, hash: token.hash, changes } },
    ...admissionsAfter({ ...token, ...changes }, admitted, changes.scopes !== undefined),
  ];
}

type Changes = ApiTokenChanged['data']['changes'];

/** What of the wanted changes is not so yet. */
function changesTo(token: ApiTokenIssued['data'], { name, scopes: given, workspaceIds }: Changes): Changes {
  const wanted = {
    ...(name !== undefined && { name }),
    ...(given && { scopes: inOrder(given) }),
    ...(workspaceIds !== undefined && { workspaceIds: workspaceIds && inOrder(workspaceIds) }),
  };
  const differing = Object.entries(wanted).filter(
    ([member, value]) => JSON.stringify(value) !== JSON.stringify(token[member as keyof typeof wanted]),
  );
  return Object.fromEntries(differing) as Changes;
}

const inOrder = <T extends string>(list: readonly T[]): readonly T[] => [...new Set(list)].sort();

export const apiTokens: Decider<ApiTokenCommand, ApiTokenFact, ApiTokenState> = {
  category: 'api_token',
  idOf: ({ data }) => data.tokenId,
  initialState,
  decide,
  evolve,
};
