import { uidOf as byomUidOf } from '../../domain/byom/listing.js';
import type { DeploymentRequested, DeploymentUnpromoted } from '../../domain/deployments/facts.js';
import { blueprintUidOf } from '../../domain/models/hosted.js';
import { isMade, MADE } from '../../domain/models/made.js';

type Deployed = DeploymentRequested['data'] | DeploymentUnpromoted['data'];

/**
 * The id in the catalogue that a deployment counts to: of what was uploaded, of the blueprint that was
 * trained, or of a foundation model; '' where a fact does not say of which blueprint it was.
 */
export function deployedUid(data: Deployed): string {
  const { model } = data;
  if (model.family === MADE.byom) return byomUidOf(model.slug);
  return isMade(model) ? blueprintIn(data) : blueprintUidOf(model);
}

const blueprintIn = (data: Deployed): string =>
  ('deploymentType' in data ? data.origin?.blueprintUid : data.blueprintUid) ?? '';
