import type { Signature } from '../../domain/byom/signature.js';
import { benchmarksOf } from '../../domain/models/algorithm-benchmarks.js';
import { algorithmOf } from '../../domain/models/algorithms.js';
import { blueprintUidOf, BUILTIN, type HostedModel } from '../../domain/models/hosted.js';
import { iso } from '../../domain/time.js';
import type { BlueprintDoc, Standing } from '../../projections/models/documents.js';
import { FOUNDATION, ratingOf, type StandingModel } from '../../projections/models/queries.js';
import type { ModelDeps } from './deps.js';
import { foundationFieldsOf } from './foundation-views.js';

type Deps = Pick<ModelDeps, 'serving' | 'cell'>;

/** Two decimals are enough for what people say in whole stars. */
export const ratingView = (standing: Standing): number | null =>
  standing.rating_count === 0 ? null : Math.round(ratingOf(standing) * 100) / 100;

/** A foundation model as a row of the public list. */
export function backboneView(one: StandingModel, deps: Deps) {
  const { model, standing } = one;
  const uid = blueprintUidOf(model);
  return {
    ...{ uid, blueprint_uid: uid, name: model.name, description: model.description },
    ...FOUNDATION,
    tags: model.tasks,
    owner: { user_id: model.family, name: model.vendor },
    visibility: 'public',
    rating: ratingView(standing),
    rating_count: standing.rating_count,
    in_use_by: standing.in_use_by,
    created_at: iso(model.listedAt),
    updated_at: iso(model.deprecatedAt ?? model.listedAt),
    deprecated: model.deprecatedAt !== null,
    ...foundationFieldsOf(one, deps),
  };
}

export function backboneDetail(one: StandingModel, deps: Deps) {
  const { sha256, version, bytes, inputs, outputs, benchmarks, listedAt } = one.model;
  return {
    ...backboneView(one, deps),
    metadata: {},
    ...{ hyperparameters: null, hyperparameter_values: null, inputs, outputs, benchmarks },
    versions: [{ version, sha256, size_bytes: bytes, created_at: iso(listedAt) }],
  };
}

/** A blueprint that somebody made; `ownerName`: null for one who was erased. */
export function blueprintView(doc: BlueprintDoc, ownerName: string | null) {
  const { _id: uid, name, purpose, description, framework, training_environment } = doc;
  const { categories, tags, visibility, rating_count, in_use_by, kind } = doc;
  return {
    ...{ uid, blueprint_uid: uid, kind, name, purpose, description, framework, training_environment },
    ...{ categories, tags, owner: { user_id: doc.owner, name: ownerName }, visibility },
    ...{ rating: ratingView(doc), rating_count, in_use_by },
    created_at: iso(doc.created_at),
    updated_at: iso(doc.updated_at),
    deprecated: false,
    ...ofKind(doc),
  };
}

function ofKind(doc: BlueprintDoc) {
  if (doc.kind === 'custom') return { algorithm: doc.recipe.algorithm };
  if (doc.kind === 'byom') {
    const { byomId, signature } = doc.byom;
    return { byom_id: byomId, lookback: signature.lookback, horizon: signature.horizon };
  }
  const { model, task, intensity, lookback, horizon } = doc.foundation;
  return { family: model.family, slug: model.slug, task, intensity, lookback, horizon };
}

/** Of what comes with the platform. */
const OURS = 'Apache-2.0';
const SERIES_IN = { series: 'float64 [length], values at equal steps, newest last, NaN where missing' };
const QUANTILES_OUT = { quantiles: 'float64 [horizon, 9], .1 ... .9, in the units of the series' };

const inWords = (tensors: Signature['inputs']): Record<string, string> =>
  Object.fromEntries(tensors.map(({ name, dtype, shape }) => [name, `${dtype} [${shape.join(', ')}]`]));

/** `backbone`: the model that a fine-tune stands on; null: it is hosted no more, or it is no fine-tune. */
export function blueprintDetail(doc: BlueprintDoc, ownerName: string | null, backbone: HostedModel | null) {
  const { metadata } = doc;
  const common = { ...blueprintView(doc, ownerName), metadata, versions: [], benchmarks: null };
  if (doc.kind === 'foundation') {
    const license = backbone?.licence ?? null;
    const hyperparameters = { hyperparameters: null, hyperparameter_values: null };
    return { ...common, ...hyperparameters, inputs: SERIES_IN, outputs: QUANTILES_OUT, license };
  }
  if (doc.kind === 'byom') {
    const { inputs, outputs } = doc.byom.signature;
    const hyperparameters = { hyperparameters: null, hyperparameter_values: null };
    return {
      ...common,
      ...hyperparameters,
      inputs: inWords(inputs),
      outputs: inWords(outputs),
      license: null,
    };
  }
  const values = doc.recipe.hyperparameters;
  return {
    ...common,
    hyperparameters: schemaWith(algorithmOf(doc.recipe.algorithm).hyperparameters, values),
    hyperparameter_values: values,
    ...{ inputs: SERIES_IN, outputs: QUANTILES_OUT },
    ...(doc._id.startsWith(BUILTIN)
      ? { license: OURS, benchmarks: benchmarksOf(doc.recipe.algorithm) }
      : { license: null, benchmarks: null }),
  };
}

/** The schema of an algorithm, its defaults those of one blueprint. */
const schemaWith = (
  { properties, ...schema }: ReturnType<typeof algorithmOf>['hyperparameters'],
  values: Readonly<Record<string, unknown>>,
) => ({
  ...schema,
  properties: Object.fromEntries(
    Object.entries(properties).map(([name, each]) => [name, { ...each, default: values[name] }]),
  ),
});
