import type { ActingEdge, ActingEdges } from '../../domain/goals/ports.js';

/** A stream as a workspace calls it: its own, or one that it subscribes to. */
export type Place = { readonly workspace: string; readonly stream: string };
export type Driven = Place & { readonly acting: readonly ActingEdge[] };
export type DrivenDeps = {
  readonly edges: Pick<ActingEdges, 'ofSource'>;
  /** Where a stream is subscribed to now, and what it is called there. */
  readonly subscribed: (workspace: string, stream: string) => Promise<readonly Place[]>;
};

/** Where a stream moves goals: of the workspace that has it first, then of those that subscribe to it. */
export async function drivenBy(
  { edges, subscribed }: DrivenDeps,
  workspace: string,
  stream: string,
): Promise<Driven[]> {
  const found: Driven[] = [];
  for (const place of [{ workspace, stream }, ...(await subscribed(workspace, stream))]) {
    const all = await edges.ofSource(place.workspace, place.stream);
    const acting = all.filter(({ kind }) => kind === 'event_stream');
    if (acting.length > 0) found.push({ ...place, acting });
  }
  return found;
}
