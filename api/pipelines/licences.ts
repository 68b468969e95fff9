import { mindLicence } from '../../domain/deployments/request.js';
import type { PoolEntry } from '../../domain/pipelines/settings.js';
import type { LivePipeline } from '../../domain/pipelines/state.js';
import { Rejected } from '../../domain/rejected.js';
import type { FromSchema } from '../../json-schema.js';
import type { PipelineDeps } from './deps.js';
import type { decisionBody } from './schemas.js';

type Deps = Pick<PipelineDeps, 'hosted'>;

/**
 * An adapter has the licence of the model that it was made of; what is made anew has none that forbids.
 * @throws Rejected 403 where the licence forbids commercial use and that is not accepted
 */
async function mindEntryLicence(
  { hosted }: Deps,
  { family, slug }: Pick<PoolEntry, 'family' | 'slug'>,
  isAccepted: boolean,
): Promise<void> {
  if (isAccepted || family === null || slug === null) return;
  const model = await hosted.find({ family, slug });
  if (model) mindLicence(model, false);
}

/** The same of each entry of a pool, before anything is trained. @throws Rejected 403 that says of which */
export async function mindPoolLicences(
  deps: Deps,
  entries: readonly PoolEntry[],
  isAccepted: boolean,
): Promise<void> {
  for (const [index, entry] of entries.entries())
    await mindEntryLicence(deps, entry, isAccepted).catch((error: unknown) => {
      if (!(error instanceof Rejected)) throw error;
      const { kind, code, message, details } = error;
      throw new Rejected(kind, code, `models[${index}]: ${message}`, { ...details, index });
    });
}

/** Approving what could not be deployed would only fail later. @throws Rejected 403 */
export async function mindCandidateLicence(
  deps: Deps,
  { candidate, settings }: LivePipeline,
  given: FromSchema<typeof decisionBody>,
): Promise<void> {
  const { decision, candidate_id: meant = candidate?.candidateId, accept_non_commercial: accepts } = given;
  const waits = candidate?.status === 'pending' || candidate?.status === 'deferred';
  if (decision !== 'approve' || !waits || meant !== candidate.candidateId) return;
  await mindEntryLicence(deps, candidate.entry, accepts || (settings.acceptNonCommercial ?? false));
}
