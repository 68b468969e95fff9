import { deploymentNotFound } from '../../domain/deployments/decider.js';
import { refIn, type HostedModel, type ModelRef } from '../../domain/models/hosted.js';
import { isMade, type MadeModel } from '../../domain/models/made.js';
import { Rejected } from '../../domain/rejected.js';
import type { DeploymentDoc } from '../../projections/deployments/documents.js';
import { notValid } from '../edge/errors.js';
import type { Caller } from '../edge/row.js';
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

/** The members of a body of which one names what is to be deployed. */
export const FIELDS = ['training_id', 'adapter_id', 'byom_id', 'blueprint_uid'] as const;
type Named = { readonly [K in (typeof FIELDS)[number]]?: string };

/**
 * What was made or brought, where a body names such; null: it names a foundation model, or nothing.
 * @throws Rejected 422 where it names two, and as `MadeModels`
 */
export async function madeIn(
  { body, workspace, caller }: { readonly body: Named; readonly workspace: string; readonly caller: Caller },
  { made }: Pick<DeploymentDeps, 'made'>,
): Promise<MadeModel | null> {
  const named = FIELDS.filter(field => body[field] !== undefined);
  const [first, second] = named;
  if (second)
    throw notValid([{ loc: ['body', second], msg: `does not go with ${first}`, type: 'value_error' }]);
  if (body.training_id !== undefined) return made.training(workspace, body.training_id);
  if (body.adapter_id !== undefined) return made.adapter(workspace, caller, body.adapter_id);
  if (body.byom_id !== undefined) return made.byom(workspace, body.byom_id);
  return null;
}

type Reference = { family?: string; slug?: string; blueprint_uid?: string };
/**
 * What was made or brought is no foundation model: who deploys it names it by its id, which is looked for in
 * the caller's workspace alone. `members`: those of the body that may name a model.
 * @throws Rejected 400 where nothing names a model, 404 where there is no such, 422 where two are named
 */
export async function foundationIn(
  { family = '', slug = '', blueprint_uid: uid = '' }: Reference,
  { hosted }: Pick<DeploymentDeps, 'hosted'>,
  members = 'blueprint_uid, or family and slug',
): Promise<HostedModel> {
  const isNamed = family.trim() !== '' && slug.trim() !== '';
  if (uid.trim() === '' && !isNamed)
    throw new Rejected('invalid', 'model_reference_required', `Name the model: send ${members}`);
  const model = uid.trim() === '' ? await hosted.find({ family, slug }) : await hosted.byUid(uid);
  if (!model || isMade(model)) throw notAvailable(uid.trim() === '' ? { family, slug } : (refIn(uid) ?? uid));
  if (isNamed && (model.family !== family || model.slug !== slug))
    throw notValid([
      { loc: ['body', 'blueprint_uid'], msg: `is not ${family}/${slug}`, type: 'value_error', input: uid },
    ]);
  return model;
}

/** By family and slug, or by an id that does not tell these. */
function notAvailable(named: ModelRef | string): Rejected {
  const model = typeof named === 'string' ? named : `${named.family}/${named.slug}`;
  return new Rejected('missing', 'model_not_available', `The model ${model} is not available`, { model });
}
