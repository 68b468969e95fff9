import type { Client } from '../api/client.js';
import type { Json } from '../json.js';
import { expected } from './world.js';

// What the stories about algorithms share: those of the public catalogue, with the schema of their
// parameters.

export type Algorithm = {
  readonly uid: string;
  /** As a custom model names it. */
  readonly name: string;
  /** What `GET /v1/models/{blueprint_uid}` says of it. */
  readonly blueprint: Json;
  readonly schema: Json;
};

/** The algorithms in the catalogue of a platform whose people have made none public. */
export async function algorithms(api: Client): Promise<Algorithm[]> {
  const { models } = expected(await api.get<Json>('/v1/models/public?limit=100')).data;
  const found: Algorithm[] = [];
  for (const row of models as Json[]) {
    if (row.kind === 'foundation_backbone') continue;
    const blueprint = expected(await api.get<Json>(`/v1/models/${row.uid}`)).data;
    found.push({ uid: row.uid, name: blueprint.algorithm, blueprint, schema: blueprint.hyperparameters });
  }
  if (found.length === 0) throw new Error('there is no algorithm in the catalogue');
  return found;
}

/** The algorithm of that name, or of the first that fits. */
export function called(all: readonly Algorithm[], name: RegExp): Algorithm {
  const found = all.find(each => name.test(each.name));
  if (!found) throw new Error(`no ${name} among ${all.map(each => each.name)}`);
  return found;
}
export const RIDGE = /ridge/;
export const TREES = /tree|boost|gbm/;
export const NETWORK = /linear|mlp|tide|network|neural/;
