import { Rejected } from './rejected.js';

/**
 * Whoever means one version of a thing changes no other one. `what`: the thing, as a message begins. `seen`
 * null: whichever there is. @throws Rejected 409 with the version there is
 */
export function mindVersion(what: string, seen: number | null | undefined, version: number): void {
  if (seen === null || seen === undefined || seen === version) return;
  throw new Rejected('conflict', 'version_conflict', `${what} is at version ${version}`, { version });
}

/** The version after some more changes; of what has none that is known it stays unknown. */
export const following = (version: number | undefined, changes = 1): { readonly version?: number } =>
  version === undefined ? {} : { version: version + changes };
