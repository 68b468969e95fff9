import type { DeploymentRequested, DeploymentUnpromoted } from '../../domain/deployments/facts.js';
import type { Fact } from '../../domain/fact.js';
import type { BlueprintCreated, BlueprintRated, FoundationModelFact } from '../../domain/models/facts.js';
import { blueprintUidOf, isFoundationUid } from '../../domain/models/hosted.js';
import { projection, type Projection } from '../engine/projection.js';
import { UNUSED, type BlueprintDoc, type FoundationDoc, type Standing } from './documents.js';

type ModelFact =
  | FoundationModelFact
  | BlueprintCreated
  | BlueprintRated
  | DeploymentRequested
  | DeploymentUnpromoted;
type Docs = { foundation_models: FoundationDoc; blueprints: BlueprintDoc };

/** The id in the catalogue of what a fact is about. */
function uidOf({ type, data }: Fact<ModelFact>): string {
  switch (type) {
    case 'BlueprintCreated':
    case 'BlueprintRated':
      return data.uid;
    case 'DeploymentRequested':
    case 'DeploymentUnpromoted':
      return blueprintUidOf(data.model);
    default:
      return data.blueprintUid;
  }
}

/** What may be deployed or trained, and what people made of it. */
export const modelsProjection: Projection = projection<Docs, ModelFact>({
  name: 'models',
  version: 1,
  collections: {
    foundation_models: {
      indexes: [],
      idOf: fact => (isFoundationUid(uidOf(fact)) ? uidOf(fact) : null),
    },
    blueprints: {
      indexes: [
        ['visibility', 'name', '_id'],
        ['visibility', 'created_at', '_id'],
        ['visibility', 'rating', '_id'],
        ['visibility', 'in_use_by', '_id'],
        ['workspace', '_id'],
      ],
      idOf: fact => (isFoundationUid(uidOf(fact)) ? null : uidOf(fact)),
    },
  },
  on: {
    FoundationModelImported: ({ foundation_models: doc }, fact) => ({
      foundation_models: { ...known(doc, fact), listing: fact.data.listing, listed_at: fact.at },
    }),
    FoundationModelDeprecated: ({ foundation_models: doc }, fact) => ({
      foundation_models: {
        ...known(doc, fact),
        deprecated_at: fact.at,
        replacement: fact.data.replacement,
      },
    }),
    FoundationModelReplaced: ({ foundation_models: doc }, fact) => ({
      foundation_models: { ...known(doc, fact), replacement: fact.data.replacement },
    }),
    FoundationModelReinstated: ({ foundation_models: doc }, fact) => ({
      foundation_models: { ...known(doc, fact), deprecated_at: null, replacement: null },
    }),
    DeploymentRequested: ({ foundation_models: doc }, fact) => ({ foundation_models: deployed(doc, fact) }),
    DeploymentUnpromoted: ({ foundation_models: doc }, fact) => ({
      foundation_models: { ...known(doc, fact), in_use_by: known(doc, fact).in_use_by - 1 },
    }),
    BlueprintCreated: (_, fact) => ({ blueprints: created(fact) }),
    BlueprintRated({ foundation_models: model, blueprints: blueprint }, fact) {
      if (isFoundationUid(fact.data.uid)) return { foundation_models: rated(known(model, fact), fact) };
      if (!blueprint) return {};
      const { rating_sum, rating_count } = rated(blueprint, fact);
      return {
        blueprints: { ...blueprint, rating_sum, rating_count, rating: rating_sum / rating_count },
      };
    },
  },
});

/** The document of a model, which may be first-party and unheard of until now. */
const known = (doc: FoundationDoc | null, fact: Fact<ModelFact>): FoundationDoc =>
  doc ?? {
    _id: uidOf(fact),
    ...UNUSED,
    listing: null,
    listed_at: null,
    deprecated_at: null,
    replacement: null,
  };

function deployed(doc: FoundationDoc | null, fact: Fact<DeploymentRequested>): FoundationDoc {
  const before = known(doc, fact);
  return { ...before, downloads: before.downloads + 1, in_use_by: before.in_use_by + 1 };
}

/** A person's second opinion takes the place of the first. */
const rated = <S extends Standing>(standing: S, { data }: Fact<BlueprintRated>): S => ({
  ...standing,
  rating_sum: standing.rating_sum + data.stars - (data.before ?? 0),
  rating_count: standing.rating_count + (data.before === null ? 1 : 0),
});

function created({ data, meta, at }: Fact<BlueprintCreated>): BlueprintDoc {
  const { uid, owner, ...said } = data;
  return {
    _id: uid,
    ...said,
    ...UNUSED,
    workspace: meta.workspace!,
    owner,
    framework: data.kind === 'foundation' ? 'onnx' : 'builtin',
    training_environment: 'cpu',
    rating: 0,
    created_at: at,
    updated_at: at,
  };
}
