import type { DeploymentDeps } from './deps.js';

/** Who did something: a user by a token, or the platform itself. */
export type Who = { readonly actor: string; readonly user_id: string | null };

const tokenIn = (actor: string): string | null => /^token:(.+)$/.exec(actor)?.[1] ?? null;

/** By the actors of facts. */
export async function whoDid(
  { tokenOwners }: Pick<DeploymentDeps, 'tokenOwners'>,
  actors: readonly string[],
): Promise<(actor: string) => Who> {
  const owners = await tokenOwners(actors.flatMap(actor => tokenIn(actor) ?? []));
  return actor => ({ actor, user_id: owners.get(tokenIn(actor) ?? '') ?? null });
}
