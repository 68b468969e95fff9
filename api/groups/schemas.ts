import { roleAllows, roles } from '../../domain/groups/roles.js';
import { scopes } from '../../domain/tokens/scopes.js';
import { perPageMembers, perPageQuery } from '../edge/paging.js';
import { array, nullable, object } from '../../json-schema.js';
import {
  givenWorkspaceSettings,
  optionalSettings,
  organizationSettings,
  workspaceSettings,
} from './settings-schemas.js';

const text = { type: 'string' } as const;
const time = { type: 'string', format: 'date-time' } as const;
const count = { type: 'integer', minimum: 0 } as const;
const name = { type: 'string', minLength: 1, maxLength: 120, pattern: '\\S' } as const;
const role = { enum: roles } as const;
const ORGANIZATION_ID = 'org_2i784ss2gi';
const common = {
  name: text,
  slug: text,
  home_cell: text,
  member_count: count,
  role,
  created_at: time,
  archived_at: nullable(time),
} as const;
const workspace = object({ workspace_id: text, organization_id: text, ...common, ...workspaceSettings });
const organization = object({
  organization_id: text,
  ...common,
  plan: { ...text, description: 'id of its plan, as its balance names it' },
  owner_uid: nullable(text),
  workspace_count: count,
  ...organizationSettings,
});

const member = object({
  uid: text,
  name: nullable(text),
  email: nullable(text),
  role,
  joined_at: time,
  last_active_at: {
    ...nullable(time),
    description: 'last use of a token of theirs that reaches the group, to the minute; null: not known',
  },
  totp_enabled: { type: 'boolean' },
});
const invitation = object({
  invitation_id: text,
  email: { ...nullable(text), description: 'null once it is closed' },
  role,
  status: { enum: ['pending', 'accepted', 'declined', 'revoked', 'expired'] },
  invited_at: time,
  expires_at: time,
});
const invitationMade = object(invitation.properties, {
  token: {
    type: 'string',
    description:
      'whoever is invited needs it; shown this once: '
      + 'neither it nor `email` in a repeat under the same `Idempotency-Key`',
  },
});

export const pageQuery = object(perPageQuery());
const uid = { type: 'string', examples: ['usr_2x2qnp6iow2wrxal'] } as const;
const email = { type: 'string', format: 'email', maxLength: 254, examples: ['ada@example.org'] } as const;
export const roleBody = object({ role });
export const inviteBody = object({ email, role });
export const archiveBody = object({ confirm: { type: 'string', description: 'the name, once more' } });
export const tokenParams = object({ token: { type: 'string', maxLength: 100, examples: ['Jd3nW8b0k2Vx'] } });

export const listOf = { member, invitation } as const;
export const paged = (plural: string, item: object) =>
  object({ data: object({ [plural]: array(item as typeof member), ...perPageMembers }) });
export const acknowledged = object({ status: { const: 'ok' } });
export const memberAnswer = object({ data: object({ uid: text, role }) });
export const invitationMadeAnswer = object({ data: invitationMade });
export const rolesAnswer = object({ data: object({ roles: array(object({ role, scopes: array(text) })) }) });
export const invitedAnswer = object({
  data: object({
    kind: { enum: ['workspace', 'organization'] },
    group_id: text,
    group_name: text,
    role,
    status: invitation.properties.status,
    expires_at: time,
  }),
});

/** What differs between the two kinds of group. */
export const kinds = {
  workspace: {
    path: '/v1/workspace',
    one: '/v1/workspace/{workspace_id}',
    id: 'workspace_id',
    plural: 'workspaces',
    tag: 'Workspaces',
    name: 'Workspace',
    item: workspace,
    create: object(
      { name },
      {
        ...givenWorkspaceSettings,
        organization_id: {
          type: 'string',
          description: "default: the caller's first",
          examples: [ORGANIZATION_ID],
        },
      },
    ),
    patch: object({}, { name, ...givenWorkspaceSettings }),
  },
  organization: {
    path: '/v1/organization',
    one: '/v1/organization/{organization_id}',
    id: 'organization_id',
    plural: 'organizations',
    tag: 'Organizations',
    name: 'Organization',
    item: organization,
    create: object({ name }, optionalSettings),
    patch: object({}, { name, ...optionalSettings }),
  },
} as const;

export const groupParams = (id: string) =>
  object({
    [id]: { type: 'string', examples: [id === 'workspace_id' ? 'wsp_1f3k0qz7a2' : ORGANIZATION_ID] },
  });
export const memberParams = (id: string) => object({ ...groupParams(id).properties, uid });
export const invitationParams = (id: string) =>
  object({ ...groupParams(id).properties, invitation_id: { type: 'string', examples: ['inv_3'] } });
export const answerOf = (item: object) => object({ data: item as typeof workspace });

/** Roles with the scopes that their members may use. */
export const roleTable = roles.map(role => ({
  role,
  scopes: scopes.filter(scope => roleAllows(role, scope)),
}));
