import type { BlueprintKind, BlueprintLabels, Intensity } from '../../domain/models/facts.js';
import { fineTuneOf, withinCap, type FineTuneWanted } from '../../domain/models/fine-tunes.js';
import { blueprintUidOf, type HostedModel, type HostedModels } from '../../domain/models/hosted.js';
import { Rejected } from '../../domain/rejected.js';
import type { BlueprintThen, QueuedWhat } from '../../domain/trainings/facts.js';

/** Which model is meant; of foundation models how deep, and what it reads and forecasts where it is said. */
export type ModelWanted = (
  | { readonly model: string }
  | { readonly family: string; readonly slug: string | null }
) & {
  readonly intensity: Intensity | null;
  readonly lookback: number | null;
  readonly horizon: number | null;
};

type Blueprint = BlueprintLabels & BlueprintKind & { readonly uid: string; readonly owner: string };
export type ResolvingDeps = {
  readonly hosted: Pick<HostedModels, 'all' | 'byUid'>;
  /** A blueprint that a workspace may see; null: there is none, or it is another's. */
  readonly blueprint: (workspace: string, uid: string) => Promise<Blueprint | null>;
  /** A model that the workspace uploaded and registered, by its id in the catalogue or its own. */
  readonly uploaded: (
    workspace: string,
    id: string,
  ) => Promise<{ readonly model: HostedModel; readonly uid: string; readonly owner: string } | null>;
};

/** What is trained, as it is now. `adapterId` is given by who queues it. */
export type Resolved = {
  readonly what: Exclude<QueuedWhat, { kind: 'foundation' }> | Omit<OfFoundation, 'adapterId'>;
  readonly blueprint: BlueprintThen;
  readonly intensity: Intensity | null;
  readonly lookback: number | null;
  readonly horizon: number | null;
};
type OfFoundation = Extract<QueuedWhat, { kind: 'foundation' }>;

/**
 * Finds the model that is meant, and checks that it can be trained.
 * @throws Rejected 404 for what is not there or not for this workspace, 400 for a horizon above what an
 *   uploaded model gives, and as `fineTuneOf` does
 */
export async function resolve(
  deps: ResolvingDeps,
  workspace: string,
  wanted: ModelWanted,
): Promise<Resolved> {
  if (!('model' in wanted)) return fineTuned(deps, { ...wanted, task: 'forecast' }, null);
  const { model: uid } = wanted;
  const backbone = await deps.hosted.byUid(uid);
  if (backbone) {
    const { family, slug } = backbone;
    return fineTuned(deps, { ...wanted, family, slug, task: 'forecast' }, null);
  }
  const blueprint = await deps.blueprint(workspace, uid);
  if (!blueprint) return uploaded(deps, workspace, wanted, uid);
  const then = thenOf(blueprint);
  if (blueprint.kind === 'foundation') {
    const { model, task, intensity, lookback, horizon } = blueprint.foundation;
    const { family, slug } = model;
    return fineTuned(
      deps,
      {
        ...{ family, slug, task },
        intensity: wanted.intensity ?? intensity,
        lookback: wanted.lookback ?? lookback,
        horizon: wanted.horizon ?? horizon,
      },
      then,
    );
  }
  const { lookback, horizon } = wanted;
  const what = { kind: 'custom', recipe: blueprint.recipe } as const;
  return { what, blueprint: then, intensity: null, lookback, horizon };
}

async function fineTuned(
  { hosted }: ResolvingDeps,
  wanted: Omit<FineTuneWanted, 'intensity'> & { readonly intensity: Intensity | null },
  blueprint: BlueprintThen | null,
): Promise<Resolved> {
  const { family, slug, task, lookback, horizon, intensity = null } = wanted;
  const asked = { family, slug, task, lookback, horizon, intensity: intensity ?? 'adapt' };
  const fineTune = fineTuneOf(asked, await hosted.all());
  return {
    what: { kind: 'foundation', fineTune },
    blueprint: blueprint ?? synthesized(fineTune.model, fineTune),
    intensity: fineTune.intensity,
    lookback: fineTune.lookback,
    // What was not said is that of the segment
    horizon: horizon === null ? null : fineTune.horizon,
  };
}

async function uploaded(
  { uploaded: find }: ResolvingDeps,
  workspace: string,
  { lookback, horizon }: ModelWanted,
  id: string,
): Promise<Resolved> {
  const found = await find(workspace, id);
  if (!found) throw modelMissing(id);
  const { family, slug, name, description, maxHorizon } = found.model;
  withinCap('horizon', horizon, maxHorizon, found.model, maxHorizon);
  return {
    what: { kind: 'byom', model: { family, slug } },
    blueprint: {
      ...UNLABELLED,
      kind: 'byom',
      uid: found.uid,
      owner: found.owner,
      ...{ name, description },
    },
    intensity: null,
    ...{ lookback, horizon },
  };
}

const UNLABELLED = {
  purpose: 'forecast',
  visibility: 'private',
  categories: [],
  tags: [],
  metadata: {},
} as const;

/** A model in a pipeline or a training by family and slug: its recipe is made here. */
const synthesized = (
  model: { readonly family: string; readonly slug: string },
  foundation: Extract<BlueprintKind, { kind: 'foundation' }>['foundation'],
): BlueprintThen => ({
  ...UNLABELLED,
  kind: 'foundation',
  foundation,
  uid: blueprintUidOf(model),
  owner: null,
  name: `${model.family}/${model.slug}, ${foundation.intensity}`,
  description: `${model.family}/${model.slug}, fine-tuned`,
});

/** Of a blueprint only what is said of it, without what people made of it. */
function thenOf(blueprint: Blueprint): BlueprintThen {
  const { uid, owner, name, purpose, description, visibility, categories, tags, metadata } = blueprint;
  return {
    ...{ uid, owner, name, purpose, description, visibility, categories, tags, metadata },
    ...(blueprint.kind === 'custom'
      ? { kind: 'custom', recipe: blueprint.recipe }
      : { kind: 'foundation', foundation: blueprint.foundation }),
  };
}

const modelMissing = (id: string): Rejected =>
  new Rejected('missing', 'not_found', `model: there is no model ${id}`, { field: 'model', id });
