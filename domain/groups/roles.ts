import { scopes, type Scope } from '../tokens/scopes.js';

/** What a member may do in a workspace, each role with everything of the one before it. */
export const roles = ['viewer', 'analyst', 'editor', 'operator', 'admin', 'owner'] as const;
export type Role = (typeof roles)[number];

/** A role, and all that may do more. */
export const rolesFrom = (least: Role): readonly Role[] => roles.slice(roles.indexOf(least));

const reads = scopes.filter(scope => scope.endsWith('.read'));
const added: Record<Role, readonly Scope[]> = {
  viewer: reads,
  analyst: ['inferences.create'],
  editor: [
    'data.write',
    'signals.write',
    'segments.write',
    'models.write',
    'goals.write',
    'discovery.write',
    'trainings.run',
  ],
  operator: ['deployments.write'],
  admin: ['workspaces.write'],
  owner: [],
};

const allowed = new Map(
  roles.map(
    (role, rank) => [role, new Set(roles.slice(0, rank + 1).flatMap(lower => added[lower]))] as const,
  ),
);

/** Whether the role's members may use the scope at all; the token must have it besides. */
export const roleAllows = (role: Role, scope: Scope): boolean => allowed.get(role)!.has(scope);

/** Whether a role may all that another may. */
export const roleReaches = (role: Role, least: Role): boolean => roles.indexOf(role) >= roles.indexOf(least);
