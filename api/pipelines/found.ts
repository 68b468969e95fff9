import type { Outcome } from '../../commands/engine/handle.js';
import type { Fact } from '../../domain/fact.js';
import type { PipelineFact } from '../../domain/pipelines/facts.js';
import { pipelineNotFound } from '../../domain/pipelines/refusals.js';
import type { PipelineState } from '../../domain/pipelines/state.js';
import { pipelineAfter } from '../../projections/pipelines/changes.js';
import { cycleDocId, type PipelineDoc } from '../../projections/pipelines/documents.js';
import type { PipelineDeps } from './deps.js';
import { pipelineView } from './views.js';

type Finding = Pick<PipelineDeps, 'queries' | 'goalOf' | 'clock' | 'visible'>;

/** @throws Rejected 404 */
export async function found({ queries }: Pick<Finding, 'queries'>, workspace: string, pipelineId: string) {
  const doc = await queries.pipeline(workspace, pipelineId);
  if (!doc) throw pipelineNotFound();
  return doc;
}

/**
 * A pipeline with what was decided of it just now, also where read models take too long to show it, or where
 * it was only tried. `before`: as it was read before; null: it is new.
 */
export async function foundAfter(
  { queries, visible }: Finding,
  workspace: string,
  pipelineId: string,
  before: PipelineDoc | null,
  { facts, position }: Outcome<PipelineFact, PipelineState>,
): Promise<PipelineDoc> {
  await visible(position);
  const doc = position === null ? null : await queries.pipeline(workspace, pipelineId);
  if (doc && doc._at >= position!) return doc;
  const after = (facts as readonly Fact<PipelineFact>[]).reduce(pipelineAfter, before);
  if (!after) throw pipelineNotFound();
  return after;
}

/** Pipelines as they are shown, each with its last cycle and its candidate. */
export async function shownOf({ queries, goalOf, clock }: Finding, docs: readonly PipelineDoc[]) {
  const last = await queries.lastCycles(docs);
  return Promise.all(
    docs.map(async doc => {
      const { candidate } = doc.state;
      const cycle = doc.last_cycle === null ? null : (last.get(cycleDocId(doc._id, doc.last_cycle)) ?? null);
      const known = candidate && (await queries.candidate(doc, candidate.candidateId));
      const goalId = await goalOf(doc.workspace, doc.pipeline_id);
      return pipelineView(doc, { last: cycle, candidate: known, goalId }, clock());
    }),
  );
}

/** One pipeline as an answer. */
export async function shown(deps: Finding, doc: PipelineDoc) {
  const [data] = await shownOf(deps, [doc]);
  return { body: { data: data! }, etag: data!.etag };
}
