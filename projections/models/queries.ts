import { blueprintUidOf, type HostedModel, type HostedModels } from '../../domain/models/hosted.js';
import type { Reader } from '../engine/reader.js';
import { builtins } from './builtin.js';
import { UNUSED, type BlueprintDoc, type FoundationDoc, type Standing } from './documents.js';
import {
  publicPage,
  type ListedModel,
  type PublicFilter,
  type PublicOrder,
  type PublicRow,
} from './public-list.js';

export type ModelQueries = ReturnType<typeof modelQueries>;
/** A foundation model, and what people made of it. */
export type StandingModel = { readonly model: HostedModel; readonly standing: Standing };

/** What the list of blueprints says of every foundation model. */
export const FOUNDATION = {
  kind: 'foundation_backbone',
  purpose: 'forecast',
  framework: 'onnx',
  training_environment: 'pretrained',
  categories: ['foundation'],
} as const;

export function modelQueries(read: Reader, hosted: HostedModels) {
  async function standings(models: readonly HostedModel[]): Promise<StandingModel[]> {
    const docs = await read.load<FoundationDoc>('foundation_models', models.map(blueprintUidOf));
    return models.map(model => ({ model, standing: docs.get(blueprintUidOf(model)) ?? UNUSED }));
  }
  async function withStandings(blueprints: readonly BlueprintDoc[]): Promise<BlueprintDoc[]> {
    const docs = await read.load<FoundationDoc>(
      'foundation_models',
      blueprints.map(({ _id }) => _id),
    );
    return blueprints.map(blueprint => {
      const { downloads, in_use_by, rating_sum, rating_count } = docs.get(blueprint._id) ?? UNUSED;
      const standing = { downloads, in_use_by, rating_sum, rating_count };
      return { ...blueprint, ...standing, rating: ratingOf(standing) };
    });
  }
  return {
    standings,
    async blueprint(uid: string): Promise<BlueprintDoc | null> {
      const own = builtins.get(uid);
      if (own) return (await withStandings([own]))[0]!;
      return read.get<BlueprintDoc>('blueprints', uid);
    },
    /** How many public blueprints a workspace has. */
    publicCount: (workspace: string): Promise<number> =>
      read.count('blueprints', { workspace, visibility: 'public' }),
    /** Public blueprints, the platform's own too, and the foundation models that are not deprecated. */
    async publicPage(
      workspace: string,
      filter: PublicFilter,
      order: PublicOrder,
      place: { readonly offset: number; readonly limit: number },
    ): Promise<{ readonly total: number; readonly rows: readonly PublicRow<StandingModel>[] }> {
      const models = (await hosted.all()).filter(({ deprecatedAt }) => deprecatedAt === null);
      const blueprints = await withStandings([...builtins.values()]);
      const own = [...(await standings(models)).map(listed), ...blueprints.map(listedBlueprint)];
      const { total, rows } = await publicPage(read, workspace, own, filter, order, place);
      return { total, rows: rows.map(row => ('model' in row ? row.model : row)) };
    },
  };
}

/** The mean of the ratings, 0 where there are none. */
export const ratingOf = ({ rating_sum, rating_count }: Standing): number =>
  rating_count === 0 ? 0 : rating_sum / rating_count;

const listedBlueprint = (blueprint: BlueprintDoc): ListedModel<PublicRow<StandingModel>> => ({
  model: { blueprint },
  entry: { ...blueprint, uid: blueprint._id },
});

const listed = ({ model, standing }: StandingModel): ListedModel<PublicRow<StandingModel>> => ({
  model: { model: { model, standing } },
  entry: {
    uid: blueprintUidOf(model),
    name: model.name,
    framework: FOUNDATION.framework,
    training_environment: FOUNDATION.training_environment,
    owner: model.family,
    categories: FOUNDATION.categories,
    tags: model.tasks,
    created_at: model.listedAt,
    rating: ratingOf(standing),
    in_use_by: standing.in_use_by,
  },
});
