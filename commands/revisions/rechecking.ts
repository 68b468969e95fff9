import type { Affected } from '../../domain/revisions/causes.js';
import type { EdgeChange } from '../../domain/revisions/facts.js';
import { REVISABLE, type EdgesRevised } from '../../domain/revisions/ports.js';
import type { KnownRevision } from '../../domain/revisions/state.js';
import type { Context } from '../engine/handle.js';
import type { OfRevision, RevisionCommands } from './records.js';

export type RecheckingDeps = {
  readonly edges: EdgesRevised<Context>;
  readonly commands: Pick<RevisionCommands, 'rechecked'>;
};
type Asked = {
  readonly of: OfRevision;
  readonly revision: KnownRevision;
  readonly affected: Affected;
};

/**
 * Has the edges of a goal measured again that come from what changed, unless they are being already. Answers
 * whether they are through.
 */
export async function recheck(
  { edges, commands }: RecheckingDeps,
  { of, revision, affected }: Asked,
  context: Context,
): Promise<boolean> {
  const { workspace, revisionId } = of;
  const { goalId } = affected;
  const ofGoal = { workspace, goalId };
  const begun = revision.rechecked.find(one => one.goalId === goalId);
  if (begun) return edges.isOver(ofGoal, begun.checkId);
  const hanging = (await edges.ofGoal(workspace, goalId)).filter(edge => {
    const keys = edge.kind === 'signal' ? affected.signals : affected.streams;
    return keys.includes(edge.sourceKey) && REVISABLE.includes(edge.status);
  });
  if (hanging.length === 0) return true;
  const ids = hanging.map(({ edgeId }) => edgeId);
  const checkId = await edges.recheck(ofGoal, ids, context);
  await commands.rechecked(workspace, { revisionId, goalId, checkId, edges: hanging }, context);
  return false;
}

/** What became of a goal's edges that were measured again. */
export async function edgeChanges(
  { edges }: Pick<RecheckingDeps, 'edges'>,
  { of, revision, affected }: Asked,
): Promise<readonly EdgeChange[]> {
  const begun = revision.rechecked.find(({ goalId }) => goalId === affected.goalId);
  const changes: EdgeChange[] = [];
  for (const { edgeId, sourceKey, status, lift } of begun?.edges ?? []) {
    const now = await edges.now(of.workspace, edgeId);
    if (!now) continue;
    changes.push({
      ...{ edgeId, sourceKey, statusBefore: status, statusAfter: now.status },
      ...{ liftBefore: lift, liftAfter: now.lift },
    });
  }
  return changes;
}
