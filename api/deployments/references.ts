import { deploymentNotFound } from '../../domain/deployments/decider.js';
import { Rejected } from '../../domain/rejected.js';
import type { DeploymentDoc } from '../../projections/deployments/documents.js';
import { notValid } from '../edge/errors.js';
import type { DeploymentDeps } from './deps.js';

/** @throws Rejected 404 where the workspace has none with this id */
export async function found(
  { queries }: Pick<DeploymentDeps, 'queries'>,
  workspace: string,
  promotionId: string,
): Promise<DeploymentDoc> {
  const doc = await queries.deployment(workspace, promotionId);
  if (!doc) throw deploymentNotFound();
  return doc;
}

const OVER: readonly DeploymentDoc['status'][] = ['retiring', 'retired'];

/** @throws Rejected 404 where a field names no deployment of the workspace, 422 where it is out of service */
export async function mustBeInService(
  { queries }: Pick<DeploymentDeps, 'queries'>,
  workspace: string,
  field: string,
  promotionId: string,
): Promise<void> {
  const doc = await queries.deployment(workspace, promotionId);
  if (!doc)
    throw new Rejected('missing', 'not_found', `${field}: there is no deployment ${promotionId}`, {
      field,
      id: promotionId,
    });
  const { status } = doc;
  if (OVER.includes(status))
    throw notValid([{ loc: ['body', field], msg: `is ${status}`, type: 'value_error', input: promotionId }]);
}

export const minAboveMax = (loc: readonly string[], input: number): Rejected =>
  notValid([{ loc, msg: 'must not be more than max', type: 'range', input }]);

const others = { training_id: 'training', adapter_id: 'adapter', byom_id: 'uploaded model' } as const;
type Others = { readonly [K in keyof typeof others]?: string };

/** @throws Rejected 404 for what cannot be there: only foundation models can be deployed yet */
export function refuseOthers(body: Others): void {
  for (const [field, what] of Object.entries(others)) {
    const id = body[field as keyof Others];
    if (id !== undefined)
      throw new Rejected('missing', 'not_found', `There is no ${what} ${id}`, { field, id });
  }
}
