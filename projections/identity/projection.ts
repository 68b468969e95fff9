import type { Fact } from '../../domain/fact.js';
import { projection } from '../engine/projection.js';
import { memberId, type IdentityDocs, type IdentityFact } from './documents.js';
import { onGroups } from './on-groups.js';
import { onInvitations } from './on-invitations.js';
import { onTokens } from './on-tokens.js';
import { onUsers } from './on-users.js';

/** The document on which a fact lands, read from its data as text; null where that says nothing. */
const idOf =
  (read: (data: Record<string, string>) => string | undefined) =>
  ({ data }: Fact<IdentityFact>) =>
    read(data as unknown as Record<string, string>) ?? null;
const groupOf = (kind: string) => idOf(data => (data['kind'] === kind ? data['groupId'] : undefined));

/** Who there is, and who may do what: what the check of every request reads. */
export const identityProjection = projection<IdentityDocs, IdentityFact>({
  name: 'identity',
  version: 3,
  carries: [2],
  collections: {
    api_tokens: {
      indexes: [['uid', 'issued_at', '_id'], ['token_id'], ['ends_at', '_id']],
      idOf: idOf(data => (data['hash'] && data['tokenId'] ? data['hash'] : undefined)),
    },
    users: {
      personal: true,
      indexes: [['email']],
      idOf: idOf(data => (data['groupId'] || data['tokenId'] ? undefined : data['uid'])),
    },
    organizations: { indexes: [], idOf: groupOf('organization') },
    members: {
      indexes: [
        ['uid', 'kind', 'group_id'],
        ['group_id', 'joined_at', '_id'],
      ],
      idOf: idOf(({ groupId, uid }) => (groupId && uid ? memberId(groupId, uid) : undefined)),
    },
    workspaces: { indexes: [['organization_id', '_id']], idOf: groupOf('workspace') },
    invitations: {
      personal: true,
      indexes: [['group_id', 'invited_at', '_id'], ['token_hash'], ['address']],
      idOf: idOf(data => data['invitationId']),
    },
  },
  on: { ...onUsers, ...onGroups, ...onInvitations, ...onTokens },
});
