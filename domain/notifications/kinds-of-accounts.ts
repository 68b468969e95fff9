import type { Data, Kind } from './kind.js';
import { pathOf, words } from './words.js';

const isOfOrganization = (data: Data): boolean => 'organization_id' in data;
const workspace = pathOf('/v1/workspace/', 'workspace_id');
const organization = pathOf('/v1/organization/', 'organization_id');
/** Its name, or its id where there is none. */
const group = (data: Data): string =>
  isOfOrganization(data)
    ? `the organization ${words(data, 'organization_name', words(data, 'organization_id'))}`
    : `the workspace ${words(data, 'workspace_name', words(data, 'workspace_id'))}`;

/** Of credits, workspaces and tokens. */
export const accountKinds = {
  'billing.low_balance': {
    severity: 'warning',
    title: () => 'Credits are running low',
    body: data =>
      `${words(data, 'balance')} credits are left; the threshold is ${words(data, 'threshold')}. `
      + 'Without credits, paid work is refused.',
    link: () => '/v1/billing/balance',
  },
  'billing.quota_near': {
    severity: 'warning',
    title: data => `Quota ${words(data, 'name')} is nearly used up`,
    body: data => `${words(data, 'used')} of ${words(data, 'limit')} are used.`,
    link: () => '/v1/billing/quota',
  },
  'workspace.invitation': {
    severity: 'info',
    title: data => `You are invited to ${group(data)}`,
    body: data =>
      `Your role is to be ${words(data, 'role')}. Who invited you has the link to accept it with.`,
    link: () => null,
  },
  'workspace.role_changed': {
    severity: 'info',
    title: data => `Your role is ${words(data, 'role')} now`,
    body: data => `In ${group(data)}.`,
    link: data => (isOfOrganization(data) ? organization(data) : workspace(data)),
  },
  'token.expiring': {
    severity: ({ days }) => (days === 1 ? 'critical' : 'warning'),
    title: data => `API token ${words(data, 'name', words(data, 'token_id'))} expires soon`,
    body: data => `It stops working at ${words(data, 'expires_at')}. Make another one before.`,
    link: () => '/v1/user/api-tokens',
  },
} as const satisfies Readonly<Record<string, Kind>>;
