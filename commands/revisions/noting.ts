import type { Found } from '../../domain/revisions/causes.js';
import { missingIn } from '../../domain/revisions/decider.js';
import type { Context } from '../engine/handle.js';
import { TooLarge } from '../ports/event-store.js';
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
 * also where it is told again: all that may have it already are looked through first. What does not fit into
 * one append is written in several. Answers the position of the last fact.
 */
export const notingOf = ({ commands, firstClosingAfter, mergeMs }: Deps) => {
  const noteIn = async (
    workspace: string,
    number: number,
    found: readonly Found[],
    context: Context,
  ): Promise<Pick<Awaited<ReturnType<typeof commands.note>>, 'after' | 'position'>> => {
    try {
      return await commands.note(workspace, number, { found, mergeMs }, context);
    } catch (error) {
      const parts = error instanceof TooLarge ? halves(found) : null;
      if (!parts) throw error;
      const first = await noteIn(workspace, number, parts[0], context);
      const { after, position } = await noteIn(workspace, number, parts[1], context);
      return { after, position: position ?? first.position };
    }
  };
  return async (workspace: string, found: readonly Found[], context: Context): Promise<number | null> => {
    let left = [...found].sort((a, b) => a.cause.position - b.cause.position);
    let last: number | null = null;
    const earliest = found.reduce((least, { cause }) => Math.min(least, cause.recordedAt), Infinity);
    for (let number = await firstClosingAfter(workspace, earliest - 1); ; number++) {
      const { after, position } = await noteIn(workspace, number, left, context);
      last = position ?? last;
      left = missingIn(after, left);
      if (left.length === 0) return last;
    }
  };
};

/** Fewer causes at a time; of one cause fewer of its goals. Null: there is nothing to be split. */
function halves(found: readonly Found[]): readonly [readonly Found[], readonly Found[]] | null {
  const [one] = found;
  if (!one) return null;
  if (found.length > 1) return cut(found);
  if (one.goals.length < 2) return null;
  const [goals, others] = cut(one.goals);
  return [[{ ...one, goals }], [{ ...one, goals: others }]];
}

const cut = <T>(all: readonly T[]): readonly [readonly T[], readonly T[]] => {
  const half = Math.ceil(all.length / 2);
  return [all.slice(0, half), all.slice(half)];
};
