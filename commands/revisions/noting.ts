import { mergedGoals, type Affected, type Cause } from '../../domain/revisions/causes.js';
import { missingIn } from '../../domain/revisions/decider.js';
import type { Context } from '../engine/handle.js';
import type { RevisionCommands } from './records.js';

/** A cause, under the name that a workspace has for it, and the goals that it affects there. */
export type Found = { readonly cause: Cause; readonly goals: readonly Affected[] };
type Deps = {
  readonly commands: Pick<RevisionCommands, 'note'>;
  /** The number of a workspace's first revision that takes causes after a time, epoch ms, or the next. */
  readonly firstClosingAfter: (workspace: string, time: number) => Promise<number>;
  /** A revision takes causes for so long. */
  readonly mergeMs: number;
};
export type Noting = ReturnType<typeof notingOf>;

/** Clocks of processes may differ by so much. */
const CLOCKS_MS = 10_000;

/**
 * Takes causes into the revision of their workspace that is open, or into the next. Each is in one of them,
 * also where it is told again: all that may have it already are looked through first. Answers the position of
 * the last fact.
 */
export const notingOf =
  ({ commands, firstClosingAfter, mergeMs }: Deps) =>
  async (workspace: string, found: readonly Found[], context: Context): Promise<number | null> => {
    let left = found;
    let last: number | null = null;
    const earliest = found.reduce((least, { cause }) => Math.min(least, cause.recordedAt), Infinity);
    for (let number = await firstClosingAfter(workspace, earliest - CLOCKS_MS); ; number++) {
      const causes = left.map(({ cause }) => cause);
      const goals = mergedGoals(left.flatMap(one => one.goals));
      const { after, position } = await commands.note(workspace, number, { causes, goals, mergeMs }, context);
      last = position ?? last;
      const missing = new Set(missingIn(after, causes));
      left = left.filter(({ cause }) => missing.has(cause));
      if (left.length === 0) return last;
    }
  };
