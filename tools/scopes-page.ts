import type { Access, Row } from '../api/edge/row.js';
import { roleAllows, roles } from '../domain/groups/roles.js';
import type { Scope } from '../domain/tokens/scopes.js';

/** docs/scopes.md: every row with the scope its token needs and the roles that may. */
export const scopesPage = (rows: readonly Row[]): string => `# Scopes and roles

Made from the rows the server runs on (\`npm run docs\`); a test holds this page to them. A call passes when
its token has the scope **and** the caller's role in the workspace or organization allows it. Each role may
what the one before it may: ${roles.join(', ')}.

Beyond the table: whatever makes, lowers, removes or invites an owner takes an owner. Every member may leave.
Invitations are answered by whoever they are for. A new workspace takes an admin of its organization. A token
gives no more than the token it was made with has. What an organization asks of its members, and of their
tokens, is in \`docs/accounts.md\`. \\*: no token that is limited to some workspaces.

| Endpoint | Scope | Roles that may |
|---|---|---|
${[...rows].sort(byPath).map(lineOf).join('\n')}
`;

const lineOf = (row: Row): string =>
  `| ${row.method.toUpperCase()} ${row.path} | ${neededBy(row.access)} | ${rolesFor(row)} |`;

/** The scopes a row asks for; [] when it asks for none. */
const scopesOf = (access: Access): readonly Scope[] => ('scope' in access ? [access.scope ?? []].flat() : []);

function neededBy(access: Access): string {
  if (access.kind === 'public') return 'no token';
  if (access.kind === 'signed') return 'a signature';
  if (access.kind === 'internal') return 'internal token';
  const needed = scopesOf(access).join(' and ') || 'any valid token';
  return access.kind === 'account' && access.everywhere ? `${needed} *` : needed;
}

/** Rows of workspace data, and rows below one workspace or organization, look at the role there. */
function rolesFor({ path, access, leastRole }: Row): string {
  const scopes = scopesOf(access);
  const belowGroup = scopes.length > 0 && /\{(workspace|organization)_id\}/.test(path);
  if (access.kind !== 'workspace' && !belowGroup) return '';
  const own = access.kind === 'workspace' ? access.from : undefined;
  const least = leastRole ?? own ?? roles.find(role => scopes.every(scope => roleAllows(role, scope)))!;
  if (least === 'viewer') return 'all';
  return least === 'owner' ? 'owner' : `${least} and above`;
}

const METHODS = ['get', 'post', 'put', 'patch', 'delete'];

function byPath(a: Row, b: Row): number {
  if (a.path === b.path) return METHODS.indexOf(a.method) - METHODS.indexOf(b.method);
  return a.path < b.path ? -1 : 1;
}
