import type { ModelCheck } from '../../commands/model-files.js';
import { blueprintUidOf, type ModelRef } from '../../domain/models/hosted.js';
import type { Job } from './job.js';
import { perform, type Operations } from './operation.js';

/** `file`: its whole path, on the machine of the platform; `manifest`: its JSON. */
export type ModelOptions =
  | { readonly what: 'import'; readonly file: string; readonly manifest: unknown }
  | { readonly what: 'list' }
  | { readonly what: 'deprecate'; readonly model: ModelRef; readonly replacement: ModelRef | null }
  | { readonly what: 'reinstate'; readonly model: ModelRef };

export type ShownImport = {
  readonly model: string;
  readonly blueprint_uid: string;
  readonly sha256: string;
  readonly licence: string;
  readonly commercial_use: boolean;
  readonly checks: readonly ModelCheck[];
};
export type ShownModel = {
  readonly model: string;
  readonly version: string;
  readonly downloads: number;
  readonly in_use_by: number;
  readonly commercial_use: boolean;
  readonly deprecated: boolean;
  readonly replacement: string | null;
};

const operations: Operations<ModelOptions> = {
  async import({ areas: { models } }, { file, manifest }, context) {
    const { listing, checks, position } = await models.operated.import(file, manifest, context);
    const shown: ShownImport = {
      model: named(listing),
      blueprint_uid: blueprintUidOf(listing),
      sha256: listing.sha256,
      licence: listing.licence,
      commercial_use: listing.commercialUse,
      checks,
    };
    return { shown, position };
  },
  async list({ areas: { models } }) {
    const all = await models.queries.standings(await models.hosted.all());
    const shown = all.map(
      ({ model, standing }): ShownModel => ({
        model: named(model),
        version: model.version,
        downloads: standing.downloads,
        in_use_by: standing.in_use_by,
        commercial_use: model.commercialUse,
        deprecated: model.deprecatedAt !== null,
        replacement: model.replacement && named(model.replacement),
      }),
    );
    return { shown, position: null };
  },
  async deprecate({ areas: { models } }, { model, replacement }, context) {
    const { position } = await models.operated.deprecate(model, replacement, context);
    const shown = { model: named(model), deprecated: true, replacement: replacement && named(replacement) };
    return { shown, position };
  },
  async reinstate({ areas: { models } }, { model }, context) {
    const { position } = await models.operated.reinstate(model, context);
    return { shown: { model: named(model), deprecated: false }, position };
  },
};

const named = ({ family, slug }: ModelRef): string => `${family}/${slug}`;

export const modelJob: Job<ModelOptions> = async function* ({ platform }, options) {
  // Opened just now, the read models may not hold the last facts yet
  await platform.visible(await platform.stores.events.head());
  yield* perform(operations, platform, options);
};
