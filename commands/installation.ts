import { workspaceIdIn } from '../domain/cell.js';
import { organizations, workspaces } from '../domain/groups/decider.js';
import { apiTokens } from '../domain/tokens/decider.js';
import { scopes } from '../domain/tokens/scopes.js';
import type { Context, Handle } from './engine/handle.js';
import { newId, newIdIn, randomText } from './engine/ids.js';
import { ORGANIZATION, WORKSPACE } from './groups/defaults.js';
import type { Register } from './registration.js';
import { newTokenValue } from './token-value.js';

export type NewInstallation = {
  readonly organization: string;
  readonly workspace: string;
  readonly email: string;
  readonly name: string;
  /** What the workspace is about; weighs in the relevance of its events. */
  readonly domainTerms: readonly string[];
  readonly cell: string;
};
type Ids = {
  readonly organizationId: string;
  readonly workspaceId: string;
  readonly uid: string;
  readonly tokenId: string;
};
/** `token` is the one time its value is seen. `position`: of the last fact written. */
export type Installed = Ids & { readonly token: string; readonly position: number };

type Deps = { readonly handle: Handle; readonly register: Register };

/**
 * The first organization, workspace, user and token (with all scopes): there is no sign-up, an operator makes
 * them.
 */
export async function install(
  { handle, register }: Deps,
  wanted: NewInstallation,
  context: Context,
): Promise<Installed> {
  const { cell, email, name } = wanted;
  const ids = newIds(cell);
  const { value, traces } = newTokenValue(cell);
  const inWorkspace = { ...context, workspace: ids.workspaceId };
  await register({ uid: ids.uid, email, name }, context);
  await handle(organizations, createOrganization(ids, wanted), context);
  await handle(workspaces, createWorkspace(ids, wanted), inWorkspace);
  const { position } = await handle(apiTokens, issueToken(ids, cell, traces), context);
  return { ...ids, token: value, position: position! };
}

const newIds = (cell: string): Ids => ({
  organizationId: newId('org_'),
  workspaceId: workspaceIdIn(cell, randomText()),
  uid: newIdIn(cell, 'usr_'),
  tokenId: newId('tok_'),
});

const createOrganization = ({ organizationId, uid }: Ids, { organization, cell }: NewInstallation) =>
  ({
    type: 'CreateOrganization',
    data: {
      kind: 'organization',
      groupId: organizationId,
      name: organization,
      homeCell: cell,
      ...ORGANIZATION,
      ownerUid: uid,
    },
  }) as const;

const createWorkspace = (
  { workspaceId, organizationId, uid }: Ids,
  { workspace, domainTerms, cell }: NewInstallation,
) =>
  ({
    type: 'CreateWorkspace',
    data: {
      kind: 'workspace',
      groupId: workspaceId,
      organizationId,
      name: workspace,
      homeCell: cell,
      ...WORKSPACE,
      domainTerms,
      ownerUid: uid,
    },
  }) as const;

const issueToken = (
  { tokenId, uid }: Ids,
  cell: string,
  traces: ReturnType<typeof newTokenValue>['traces'],
) =>
  ({
    type: 'IssueApiToken',
    data: {
      tokenId,
      uid,
      name: 'first token',
      ...traces,
      scopes,
      workspaceIds: null,
      expiresAt: null,
      homeCell: cell,
      internal: false,
    },
  }) as const;
