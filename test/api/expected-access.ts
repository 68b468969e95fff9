import type { Role } from '../../domain/groups/roles.js';
import type { Scope } from '../../domain/tokens/scopes.js';

// What every endpoint should ask for, written down apart from the rows: the test of scopes holds the rows to
// this. The first line that fits decides; a row that none fits has no business being there.

export type Needs = 'nothing' | 'token' | 'internal token' | readonly Scope[];
type Line = readonly [methods: string, path: RegExp, needs: Needs];

const lines: readonly Line[] = [
  ['GET', /^\/(health|version)$/, 'nothing'],
  ['GET', /^\/(ready|openapi\/v1\.json)$/, 'token'],
  ['POST', /^\/v1\/ingestion\/webhooks\//, 'nothing'],
  ['GET', /^\/v1\/ws$/, 'token'],
  ['POST', /^\/v1\/user\/ops\/(exchange|verify-2fa)$/, 'internal token'],
  ['*', /^\/v1\/user\/(me|ui-flags|update-profile|api-tokens)(\/|$)/, 'token'],
  ['*', /^\/v1\/user\//, ['workspaces.write']],
  ['*', /^\/v1\/(workspace|organization)\/invitations\/\{token\}/, 'token'],
  ['POST', /^\/v1\/billing\/estimates$/, ['workspaces.read']],
  ['POST', /^\/v1\/notifications\/(read-all|\{notification_id\}\/)/, ['workspaces.read']],
  ['GET', /^\/v1\/(workspace|organization|notifications|billing)\b/, ['workspaces.read']],
  ['*', /^\/v1\/(workspace|organization|notifications|billing)\b/, ['workspaces.write']],
  ['GET', /^\/v1\/signal(\/|$)/, ['signals.read']],
  ['*', /^\/v1\/signal(\/|$)/, ['signals.write']],
  ['GET', /^\/v1\/(event|ingestion)\//, ['data.read']],
  ['*', /^\/v1\/(event|ingestion)\//, ['data.write']],
  ['GET', /^\/v1\/segment(\/|$)/, ['segments.read']],
  ['POST', /^\/v1\/segment\/(.*\/)?(preview|suggest)$/, ['segments.read']],
  ['*', /^\/v1\/segment(\/|$)/, ['segments.write']],
  ['GET', /^\/v1\/models\/byom\/\{byom_id\}\/artifact$/, 'nothing'],
  ['POST', /^\/v1\/models\/deploy-foundation$/, ['deployments.write']],
  ['GET', /^\/v1\/models\b/, ['models.read']],
  ['*', /^\/v1\/models\b/, ['models.write']],
  ['POST', /promotion-decision$/, ['trainings.run', 'deployments.write']],
  ['GET', /^\/v1\/training\/\{training_id\}\/artifact$/, 'nothing'],
  ['GET', /^\/v1\/(pipelines|training)\b/, ['trainings.read']],
  ['*', /^\/v1\/(pipelines|training)\b/, ['trainings.run']],
  ['GET', /^\/v1\/deployments\b/, ['deployments.read']],
  ['*', /^\/v1\/deployments\b/, ['deployments.write']],
  ['GET', /^\/v1\/inference\b/, ['inferences.read']],
  ['POST', /^\/v1\/inference\//, ['inferences.create']],
  ['GET', /^\/v1\/revisions\b/, ['goals.read']],
  ['POST', /^\/v1\/goals\/(.*\/)?(analyst\/ask|scenarios\/compare)$/, ['goals.read']],
  ['GET', /^\/v1\/goals\/\{goal_id\}\/(discovery|edges)\b/, ['discovery.read']],
  ['*', /^\/v1\/goals\/\{goal_id\}\/(discovery|edges)\b/, ['discovery.write']],
  ['GET', /^\/v1\/goals\b/, ['goals.read']],
  ['*', /^\/v1\/goals\b/, ['goals.write']],
];

export function needsOf(method: string, path: string): Needs {
  const line = lines.find(
    ([methods, pattern]) => (methods === '*' || methods === method) && pattern.test(path),
  );
  if (!line) throw new Error(`${method} ${path}: nobody has said who may call this`);
  return line[2];
}

/**
 * What stands above workspaces takes a token that is not limited to some of them; answering an invitation is
 * everybody's own affair.
 */
export const needsUnlimited = (method: string, path: string): boolean =>
  (/^\/v1\/organization(\/|$)/.test(path) && !path.includes('/invitations/{token}'))
  || (method === 'POST' && path === '/v1/workspace')
  // The second factor, and signing in elsewhere, are of the user in all workspaces
  || (method === 'POST' && /^\/v1\/user\/(totp\/|ops\/authorize$)/.test(path))
  // What is told of all workspaces leaves by it, or is kept still
  || (method !== 'GET' && /^\/v1\/notifications\/(channels|preferences)(\/|$)/.test(path));

/**
 * Account, workspaces, organizations, how somebody wants to be told, and what belongs to the platform stand
 * above workspaces; all else lies in one.
 */
export const needsWorkspace = (method: string, path: string): boolean =>
  needsOf(method, path) !== 'nothing'
  && !/^\/(ready|openapi|v1\/(user|workspace|organization|ws)(\/|$))/.test(path)
  && !/^\/v1\/notifications\/(channels|preferences|stream)(\/|$)/.test(path);

const least: readonly [Role, RegExp][] = [
  ['viewer', /\.read$/],
  ['analyst', /^inferences\.create$/],
  ['operator', /^deployments\.write$/],
  ['admin', /^workspaces\.write$/],
  ['editor', /./],
];
/** The least role whose members may use a scope. */
export const leastRole = (scope: Scope): Role => least.find(([, pattern]) => pattern.test(scope))![0];

/** The least role for an endpoint of a workspace or organization itself. */
export function leastInGroup(method: string, path: string): Role {
  if (method === 'GET') return 'viewer';
  const archives = method === 'DELETE' && path.endsWith('_id}') && !path.includes('invitation');
  return archives || path.endsWith('/restore') ? 'owner' : 'admin';
}

/** The least role for an endpoint in a workspace, where its scopes alone would let others in. */
export function leastInWorkspace(method: string, path: string): Role {
  if (path.startsWith('/v1/billing/')) return 'admin';
  if (path.endsWith('/analyst/ask')) return 'analyst';
  const ofSources = path.startsWith('/v1/ingestion/') && !path.startsWith('/v1/ingestion/files');
  return ofSources && method !== 'GET' ? 'operator' : 'viewer';
}

/** The least role for an endpoint that is for more than its scope alone says; null: for no more. */
export const leastInstead = (method: string, path: string): Role | null =>
  method !== 'GET' && [FORECASTS, SCENARIOS, ALERTS].some(own => own.test(path)) ? 'analyst' : null;
const FORECASTS = /^\/v1\/goals\/\{goal_id\}\/forecasts(\/\{forecast_id\}\/replay)?$/;
const SCENARIOS = /^\/v1\/goals\/\{goal_id\}\/scenarios(?!\/compare)/;
const ALERTS = /^\/v1\/goals\/(\{goal_id\}\/)?alerts(\/|$)/;
