import { blueprintUidOf } from '../../domain/models/hosted.js';
import { iso } from '../../domain/time.js';
import type { StandingModel } from '../../projections/models/queries.js';
import type { ModelDeps } from './deps.js';

const UNITS = ['', 'K', 'M', 'B'];

/** A number of parameters as people say it: 1.1M, 46M, 1.2B. */
export function sizeText(parameters: number): string {
  const power = Math.min(UNITS.length - 1, Math.floor(Math.log10(Math.max(1, parameters)) / 3));
  const size = parameters / 1000 ** power;
  // One decimal below ten, where there is one
  return `${size < 10 ? Math.round(size * 10) / 10 : Math.round(size)}${UNITS[power]}`;
}

export const foundationFieldsOf = (
  { model, standing }: StandingModel,
  { serving, cell }: Pick<ModelDeps, 'serving' | 'cell'>,
) => {
  const { family, slug, vendor, recommended, replacement, quantiles, covariates } = model;
  return {
    ...{ family, slug, vendor },
    license: model.licence,
    license_commercial_ok: model.commercialUse,
    params: sizeText(model.parameters),
    params_count: model.parameters,
    recommended,
    downloads: standing.downloads,
    supports: { tasks: model.tasks, max_context: model.maxContext, max_horizon: model.maxHorizon },
    released_at: iso(model.releasedAt),
    deprecated_at: model.deprecatedAt === null ? null : iso(model.deprecatedAt),
    replacement,
    paper_url: model.paperUrl,
    serving: { ...serving(model), cell },
    ...{ quantiles, covariates },
  };
};

export const foundationView = (one: StandingModel, deps: Pick<ModelDeps, 'serving' | 'cell'>) => ({
  blueprint_uid: blueprintUidOf(one.model),
  name: one.model.name,
  description: one.model.description,
  deprecated: one.model.deprecatedAt !== null,
  ...foundationFieldsOf(one, deps),
});
