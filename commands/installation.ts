import { createHash, randomBytes } from 'node:crypto';
import { apiTokens } from '../domain/tokens/decider.js';
import { workspaceIdIn } from '../domain/cell.js';
import { organizations, workspaces } from '../domain/groups/decider.js';
import { scopes } from '../domain/tokens/scopes.js';
import { maskToken, tokenValue } from '../domain/tokens/value.js';
import type { Context, Handle } from './engine/handle.js';
import type { Register } from './registration.js';

export type NewInstallation = {
  readonly organization: string;
  readonly workspace: string;
  readonly email: string;
  readonly name: string;
  /** What the workspace is about; weighs in the relevance of its events. */
  readonly domainTerms: readonly string[];
  readonly cell: string;
};
/** `token` is the one time its value is seen. `position`: of the last fact written. */
export type Installed = {
  readonly organizationId: string;
  readonly workspaceId: string;
  readonly uid: string;
  readonly tokenId: string;
  readonly token: string;
  readonly position: number;
};

/** Settings of a new organization and a new workspace. */
export const ORGANIZATION = { require2fa: false, allowedEmailDomains: [], tokenMaxAgeDays: null } as const;
export const WORKSPACE = {
  timezone: 'UTC',
  domainTerms: [],
  retention: { signalsDays: null, eventsDays: null, rawDays: null },
} as const;

/**
 * The first organization, workspace, user and token (with all scopes): there is no sign-up, an operator makes
 * them.
 */
export async function install(
  { handle, register }: { readonly handle: Handle; readonly register: Register },
  wanted: NewInstallation,
  context: Context,
): Promise<Installed> {
  const { cell } = wanted;
  const uid = newId('usr_');
  const organizationId = newId('org_');
  const tokenId = newId('tok_');
  const workspaceId = workspaceIdIn(cell, randomText());
  const within = { ...context, workspace: workspaceId };
  await register({ uid, email: wanted.email, name: wanted.name }, context);
  await handle(
    organizations,
    {
      type: 'CreateOrganization',
      data: {
        kind: 'organization',
        groupId: organizationId,
        name: wanted.organization,
        homeCell: cell,
        ...ORGANIZATION,
        ownerUid: uid,
      },
    },
    context,
  );
  await handle(
    workspaces,
    {
      type: 'CreateWorkspace',
      data: {
        kind: 'workspace',
        groupId: workspaceId,
        organizationId,
        name: wanted.workspace,
        homeCell: cell,
        ...WORKSPACE,
        domainTerms: wanted.domainTerms,
        ownerUid: uid,
      },
    },
    within,
  );
  const token = tokenValue(cell, randomBytes(32));
  const { position } = await handle(
    apiTokens,
    {
      type: 'IssueApiToken',
      data: {
        tokenId,
        uid,
        name: 'first token',
        hash: createHash('sha256').update(token).digest('hex'),
        ...maskToken(token),
        scopes,
        workspaceIds: null,
        expiresAt: null,
        homeCell: cell,
        internal: false,
      },
    },
    context,
  );
  return { organizationId, workspaceId, uid, tokenId, token, position: position! };
}

export const newId = (prefix: string): string => prefix + randomText();
/** 80 random bits in base 36. */
export const randomText = (): string =>
  BigInt(`0x${randomBytes(10).toString('hex')}`)
    .toString(36)
    .padStart(16, '0');
