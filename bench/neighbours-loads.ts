// What the loud workspace of `bench/neighbours.ts` does, and what is told of it.

/** In the order in which they are taken: texts leave a backlog, which goes on beside what comes after. */
export const loads = ['streams', 'glances', 'analyses', 'slow bodies', 'pushes', 'texts', 'batches'] as const;
export type LoadName = (typeof loads)[number];
/** A token for each load: a user may have many. */
export type Loud = {
  readonly port: number;
  readonly workspaceId: string;
  readonly tokens: Readonly<Record<LoadName, string>>;
};
/** `unanswered`: under way at the end, or cut off; `why`: the status of what was refused last. */
export type LoadCounts = { ok: number; refused: number; unanswered: number; why: string };
export type Counted = Readonly<Record<string, LoadCounts>>;
