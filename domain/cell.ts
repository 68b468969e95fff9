/** Length of a cell's code. */
export const CODE_LENGTH = 4;

const MODULUS = 36 ** CODE_LENGTH;

/**
 * The short code of a cell (a region's installation) that its tokens, and the ids of its workspaces, users
 * and sources, carry inside: 4 characters of base 36 from an FNV-1a hash (Fowler, Noll, Vo; 32 bits) of the
 * name's UTF-16 units. An operator's cells must differ in it.
 */
export function cellCode(name: string): string {
  let hash = 0x811c9dc5;
  for (let i = 0; i < name.length; i++) hash = Math.imul(hash ^ name.charCodeAt(i), 0x01000193);
  return ((hash >>> 0) % MODULUS).toString(36).padStart(CODE_LENGTH, '0');
}

/** Ids that carry the code have four characters more than those that are random alone. */
const CODED = /^[a-z]{3}_([0-9a-z]{4})[0-9a-z]{16}$/;
const WORKSPACE = /^wsp_([0-9a-z]{4})[0-9a-z]{8,}$/;

/**
 * An id that says where it was made: its prefix, the cell's code, and `random` (16 characters of base 36; of
 * a workspace 8 or more).
 */
export const idIn = (cell: string, prefix: string, random: string): string =>
  prefix + cellCode(cell) + random;

/** A workspace id that says where it lives. */
export const workspaceIdIn = (cell: string, random: string): string => idIn(cell, 'wsp_', random);

/** The code of the cell that the id of a user or a source was made in; null for one that carries none. */
export const cellOfId = (id: string): string | null => CODED.exec(id)?.[1] ?? null;

/** The code of the cell a workspace id was made in; null for an id of another form. */
export const cellOfWorkspace = (workspaceId: string): string | null =>
  WORKSPACE.exec(workspaceId)?.[1] ?? null;
