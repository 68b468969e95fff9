import type { Found } from '../../domain/revisions/causes.js';
import { missingIn } from '../../domain/revisions/decider.js';
import type { Context } from '../engine/handle.js';
import type { RevisionCommands } from './records.js';

type Deps = {
  readonly commands: Pick<RevisionCommands, 'note'>;
  /** The number of a workspace's first revision that takes causes after a time, epoch ms, or the next. */
  readonly firstClosingAfter: (workspace: string, time: number) => Promise<number>;
  /** A revision takes what is recorded within so long of its first cause. */
  readonly mergeMs: number;
};
export type Noting = ReturnType<typeof notingOf>;

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
    for (let number = await firstClosingAfter(workspace, earliest - 1); ; number++) {
      const { after, position } = await commands.note(workspace, number, { found: left, mergeMs }, context);
      last = position ?? last;
      left = missingIn(after, left);
      if (left.length === 0) return last;
    }
  };
