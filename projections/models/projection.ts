import type { ByomDeleted, ByomRegistered } from '../../domain/byom/facts.js';
import type { DeploymentRequested, DeploymentUnpromoted } from '../../domain/deployments/facts.js';
import type { Fact } from '../../domain/fact.js';
import type { BlueprintCreated, BlueprintRated, FoundationModelFact } from '../../domain/models/facts.js';
import { isOfPlatform } from '../../domain/models/hosted.js';
import { projection, type After, type Before, type Projection } from '../engine/projection.js';
import { deployedUid } from './deployed-uid.js';
import { UNUSED, type BlueprintDoc, type FoundationDoc, type Standing } from './documents.js';

type ModelFact =
  | FoundationModelFact
  | BlueprintCreated
  | BlueprintRated
  | ByomRegistered
  | ByomDeleted
  | DeploymentRequested
  | DeploymentUnpromoted;
type Docs = { foundation_models: FoundationDoc; blueprints: BlueprintDoc };

/** The id in the catalogue of what a fact is about; '' for what is not in it. */
function uidOf({ type, data }: Fact<ModelFact>): string {
  switch (type) {
    case 'BlueprintCreated':
    case 'BlueprintRated':
    case 'ByomRegistered':
      return data.uid;
    case 'ByomDeleted':
      return data.uid ?? '';
    case 'DeploymentRequested':
    case 'DeploymentUnpromoted':
      return deployedUid(data);
    default:
      return data.blueprintUid;
  }
}

/** What may be deployed or trained, and what people made of it. */
export const modelsProjection: Projection = projection<Docs, ModelFact>({
  name: 'models',
  version: 2,
  carries: [1],
  collections: {
    foundation_models: {
      indexes: [],
      idOf: fact => (isOfPlatform(uidOf(fact)) ? uidOf(fact) : null),
    },
    blueprints: {
      indexes: [
        ['visibility', 'name', '_id'],
        ['visibility', 'created_at', '_id'],
        ['visibility', 'rating', '_id'],
        ['visibility', 'in_use_by', '_id'],
        ['workspace', '_id'],
      ],
      idOf: fact => (isOfPlatform(uidOf(fact)) ? null : uidOf(fact) || null),
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
    DeploymentRequested: (before, fact) => standing(before, fact, 1),
    DeploymentUnpromoted: (before, fact) => standing(before, fact, -1),
    ByomRegistered: (_, fact) => ({ blueprints: brought(fact) }),
    ByomDeleted: () => ({ blueprints: null }),
    BlueprintCreated: (_, fact) => ({ blueprints: created(fact) }),
    BlueprintRated({ foundation_models: model, blueprints: blueprint }, fact) {
      if (isOfPlatform(fact.data.uid)) return { foundation_models: rated(known(model, fact), fact) };
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

/** One deployment more, or one less; documents of version 1 did not count those of trained models. */
function standing(
  { foundation_models: model, blueprints: blueprint }: Before<Docs>,
  fact: Fact<DeploymentRequested | DeploymentUnpromoted>,
  by: 1 | -1,
): After<Docs> {
  const counted = <S extends Standing>(doc: S): S => ({
    ...doc,
    downloads: doc.downloads + Math.max(0, by),
    in_use_by: Math.max(0, doc.in_use_by + by),
  });
  if (isOfPlatform(uidOf(fact))) return { foundation_models: counted(known(model, fact)) };
  return blueprint ? { blueprints: counted(blueprint) } : {};
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

function brought({ data, at }: Fact<ByomRegistered>): BlueprintDoc {
  const { workspace, byomId, uid, name, visibility, tags, format, signature, by } = data;
  return {
    _id: uid,
    ...{ name, purpose: 'forecast', description: `Brought as ${format}`, visibility, tags },
    ...{ categories: ['byom'], metadata: {}, kind: 'byom', byom: { byomId, format, signature } },
    ...UNUSED,
    ...{ workspace, owner: by, framework: format, training_environment: 'external', rating: 0 },
    ...{ created_at: at, updated_at: at },
  };
}
