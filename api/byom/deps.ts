import type { Readable } from 'node:stream';
import type { ByomCommands } from '../../commands/byom.js';
import type { Downloads } from '../../commands/downloads.js';
import { byomNotFound } from '../../domain/byom/decider.js';
import type { ByomDoc } from '../../projections/byom/documents.js';
import type { ByomQueries } from '../../projections/byom/queries.js';

export type ByomDeps = {
  readonly commands: ByomCommands;
  readonly queries: ByomQueries;
  /** What a workspace may keep. */
  readonly most: { readonly models: number; readonly bytes: number };
  /** Sees that a segment has rows to try models on. @throws Rejected 404, 409 */
  readonly segmentFits: (workspace: string, segmentId: string) => Promise<void>;
  readonly downloads: Downloads;
  /** Where others reach this platform. */
  readonly url: () => string;
  /** A file as it was uploaded. @throws Rejected 410 */
  readonly content: (workspace: string, byomId: string, sha256: string) => Promise<Readable>;
  readonly clock: () => number;
  readonly visible: (position: number | null) => Promise<void>;
};

export const tag = 'Models';
export const reads = { kind: 'workspace', scope: 'models.read' } as const;
export const writes = { kind: 'workspace', scope: 'models.write' } as const;
export const all = '/v1/models/byom';
export const one = `${all}/{byom_id}` as const;

/** @throws Rejected 404 */
export async function shown(
  { queries }: Pick<ByomDeps, 'queries'>,
  workspace: string,
  id: string,
): Promise<ByomDoc> {
  const doc = await queries.one(workspace, id);
  if (!doc) throw byomNotFound();
  return doc;
}
