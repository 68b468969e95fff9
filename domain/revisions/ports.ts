import type { EdgeStatus } from '../goals/ports.js';
import type { EdgeChange } from './facts.js';
import type { SourceKind } from './causes.js';

/** An edge of whatever status. */
export type EdgeOfSource = {
  readonly edgeId: string;
  readonly goalId: string;
  readonly sourceKey: string;
  readonly status: EdgeStatus;
  readonly lift: number | null;
};

/** Edges whose sources are looked at again where their history changed. */
export type EdgesRevised = {
  /** What edges of a goal that are at work, or may come to be, come from. */
  readonly sources: (
    workspace: string,
    goalId: string,
  ) => Promise<readonly { readonly kind: SourceKind; readonly key: string }[]>;
  /** All of a workspace that come from a source. */
  readonly ofSource: (workspace: string, kind: SourceKind, key: string) => Promise<readonly EdgeOfSource[]>;
  /**
   * Measures an edge again, by all that is known now; what came of it. The same `once` again measures nothing
   * twice.
   */
  readonly recheck: (
    of: { readonly workspace: string; readonly goalId: string },
    edge: EdgeOfSource,
    once: string,
  ) => Promise<EdgeChange>;
};

/** Edges that are at work, or may come to be. */
export const REVISABLE: readonly EdgeStatus[] = ['candidate', 'validated', 'weakening', 'pinned'];
