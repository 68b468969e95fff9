import { Rejected } from '../../domain/rejected.js';
import { isFoundationUid } from '../../domain/models/hosted.js';
import type { BlueprintDoc } from '../../projections/models/documents.js';
import type { StandingModel } from '../../projections/models/queries.js';
import type { ModelDeps } from './deps.js';

export type Seen = { readonly backbone: StandingModel } | { readonly blueprint: BlueprintDoc };

const UID = /^[A-Za-z0-9][\w.-]{0,127}$/;

/**
 * What a member of a workspace may see under an id of the catalogue: foundation models, public blueprints and
 * the workspace's own.
 * @throws Rejected 400 for what is no such id, 404 for what is not there or not for them
 */
export async function seenIn(
  { hosted, queries }: Pick<ModelDeps, 'hosted' | 'queries'>,
  workspace: string,
  uid: string,
): Promise<Seen> {
  if (!UID.test(uid))
    throw new Rejected(
      'invalid',
      'bad_request',
      `blueprint_uid: '${uid.slice(0, 200)}' is no id of a model`,
      {
        field: 'blueprint_uid',
      },
    );
  const seen = await foundIn({ hosted, queries }, workspace, uid);
  if (!seen) throw new Rejected('missing', 'not_found', `There is no model ${uid}`);
  return seen;
}

/** The same; null for what is not there or not for them. */
export const foundIn = (
  { hosted, queries }: Pick<ModelDeps, 'hosted' | 'queries'>,
  workspace: string,
  uid: string,
): Promise<Seen | null> =>
  isFoundationUid(uid) ? backboneOf(hosted, queries, uid) : own(queries, workspace, uid);

async function backboneOf(
  hosted: ModelDeps['hosted'],
  queries: ModelDeps['queries'],
  uid: string,
): Promise<Seen | null> {
  const model = await hosted.byUid(uid);
  const [backbone] = model ? await queries.standings([model]) : [];
  return backbone ? { backbone } : null;
}

async function own(queries: ModelDeps['queries'], workspace: string, uid: string): Promise<Seen | null> {
  const blueprint = await queries.blueprint(uid);
  if (!blueprint || (blueprint.visibility === 'private' && blueprint.workspace !== workspace)) return null;
  return { blueprint };
}
