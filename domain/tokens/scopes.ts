/** What a token may be allowed to do: `<resource>.<action>`. */
export const scopes = [
  'workspaces.read',
  'workspaces.write',
  'goals.read',
  'goals.write',
  'data.read',
  'data.write',
  'signals.read',
  'signals.write',
  'discovery.read',
  'discovery.write',
  'segments.read',
  'segments.write',
  'models.read',
  'models.write',
  'trainings.read',
  'trainings.run',
  'deployments.read',
  'deployments.write',
  'inferences.read',
  'inferences.create',
] as const;
export type Scope = (typeof scopes)[number];

/** The scopes of a new token that asks for none. */
export const defaultScopes: readonly Scope[] = [
  'workspaces.read',
  'goals.read',
  'models.read',
  'inferences.create',
];
