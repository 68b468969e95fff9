import { hash } from 'node:crypto';
import type { Found } from '../../domain/revisions/causes.js';
import type { RevisionCommand } from '../../domain/revisions/commands.js';
import { revisionJournalId, revisions } from '../../domain/revisions/decider.js';
import type {
  GoalEdgesRechecked,
  GoalRevised,
  SegmentAfter,
  SegmentBefore,
} from '../../domain/revisions/facts.js';
import { revisionNotFound } from '../../domain/revisions/refusals.js';
import type { KnownRevision } from '../../domain/revisions/state.js';
import type { Context, Handle, Load } from '../engine/handle.js';

/** Ids that follow from what they are of: what is begun again after a kill makes nothing twice. */
export const numberedId = (workspace: string, number: number): string =>
  `rev_${hash('sha256', `${workspace}/${number}`).slice(0, 16)}`;

export type OfRevision = { readonly workspace: string; readonly revisionId: string };
type Noted = { readonly found: readonly Found[]; readonly mergeMs: number };
type Deps = { readonly handle: Handle; readonly load: Load };
export type RevisionCommands = ReturnType<typeof revisionCommands>;

/** What is written of revisions. Where it does not fit any more nothing is. */
export function revisionCommands({ handle, load }: Deps) {
  const give = (command: RevisionCommand, context: Context) =>
    handle(revisions, command, { ...context, workspace: command.data.workspace });
  return {
    /** As its facts tell it now. @throws Rejected 404 */
    async read({ workspace, revisionId }: OfRevision): Promise<KnownRevision> {
      const found = await load(revisions, revisionJournalId(workspace, revisionId));
      if (found.status === 'none') throw revisionNotFound(revisionId);
      return found;
    },
    /** Causes of the revision with a number, unless it takes no more. */
    note: (workspace: string, number: number, noted: Noted, context: Context) => {
      const data = { workspace, revisionId: numberedId(workspace, number), number, ...noted };
      return give({ type: 'NoteCauses', data }, context);
    },
    begin: (of: OfRevision, segments: readonly SegmentBefore[], context: Context) =>
      give({ type: 'BeginRevision', data: { ...of, segments, at: context.at } }, context),
    rebuilt: (of: OfRevision, segments: readonly SegmentAfter[], context: Context) =>
      give({ type: 'NoteRebuilt', data: { ...of, segments } }, context),
    rechecked: (workspace: string, data: GoalEdgesRechecked['data'], context: Context) =>
      give({ type: 'NoteRechecked', data: { workspace, ...data } }, context),
    revise: (workspace: string, data: GoalRevised['data'], context: Context) =>
      give({ type: 'ReviseGoal', data: { workspace, ...data } }, context),
    apply: (of: OfRevision, context: Context) => give({ type: 'ApplyRevision', data: of }, context),
    fail: (of: OfRevision, why: { readonly code: string; readonly message: string }, context: Context) =>
      give({ type: 'FailRevision', data: { ...of, code: why.code, message: why.message } }, context),
  };
}
