import { blueprintUidOf, type HostedModel, type HostedModels } from '../../domain/models/hosted.js';
import type { Reader } from '../engine/reader.js';
import { UNUSED, type BlueprintDoc, type FoundationDoc, type Standing } from './documents.js';
import { publicPage, type ListedModel, type PublicFilter, type PublicOrder } from './public-list.js';

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
  return {
    standings,
    blueprint: (uid: string) => read.get<BlueprintDoc>('blueprints', uid),
    /** Public blueprints and the foundation models that are not deprecated. */
    async publicPage(
      filter: PublicFilter,
      order: PublicOrder,
      place: { readonly offset: number; readonly limit: number },
    ) {
      const models = (await hosted.all()).filter(({ deprecatedAt }) => deprecatedAt === null);
      return publicPage(read, (await standings(models)).map(listed), filter, order, place);
    },
  };
}

/** The mean of the ratings, 0 where there are none. */
export const ratingOf = ({ rating_sum, rating_count }: Standing): number =>
  rating_count === 0 ? 0 : rating_sum / rating_count;

const listed = ({ model, standing }: StandingModel): ListedModel<StandingModel> => ({
  model: { model, standing },
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
