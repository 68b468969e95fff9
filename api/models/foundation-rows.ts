import { modelNotAvailable } from '../../domain/models/fine-tunes.js';
import type { StandingModel } from '../../projections/models/queries.js';
import { row, type Row } from '../edge/row.js';
import { readAccess, tag, type ModelDeps } from './deps.js';
import * as schemas from './foundation-schemas.js';
import { foundationView } from './foundation-views.js';

/** The pretrained models that can be deployed as they are. */
export const foundationRows = (deps: ModelDeps): Row[] => [
  row({
    method: 'get',
    path: '/v1/models/foundation',
    operation: 'listFoundationModels',
    summary: 'List the foundation models',
    description: 'The recommended ones first, then by downloads.',
    tag,
    access: readAccess,
    query: schemas.foundationQuery,
    answers: { 200: { description: 'All that fit', schema: schemas.foundationAnswer } },
    async run({ query: { family, task, include_deprecated } }) {
      const meant = (await deps.hosted.all()).filter(
        model =>
          (family ?? model.family) === model.family
          && (task === undefined || model.tasks.includes(task))
          && (include_deprecated || model.deprecatedAt === null),
      );
      const models = (await deps.queries.standings(meant)).sort(byPopularity);
      return {
        body: { data: { models: models.map(one => foundationView(one, deps)), count: models.length } },
      };
    },
  }),
  row({
    method: 'get',
    path: '/v1/models/foundation/{family}/{slug}',
    operation: 'getFoundationModel',
    summary: 'One foundation model',
    tag,
    access: readAccess,
    params: schemas.foundationParams,
    versioned: 'by_content',
    errors: { 404: ['model_not_available'] },
    answers: { 200: { description: 'Also when it is deprecated', schema: schemas.oneFoundationAnswer } },
    async run({ params: { family, slug } }) {
      const model = await deps.hosted.find({ family, slug });
      if (!model) throw modelNotAvailable(family, slug);
      const [one] = await deps.queries.standings([model]);
      return { body: { data: foundationView(one!, deps) } };
    },
  }),
];

/** Where both are alike the order they came in stays: by family and slug. */
const byPopularity = (a: StandingModel, b: StandingModel): number =>
  Number(b.model.recommended) - Number(a.model.recommended) || b.standing.downloads - a.standing.downloads;
