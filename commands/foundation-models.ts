import { modelNotAvailable } from '../domain/models/fine-tunes.js';
import { foundationModels } from '../domain/models/foundation-models.js';
import type { FoundationListing, HostedModels, ModelRef } from '../domain/models/hosted.js';
import { Rejected } from '../domain/rejected.js';
import type { Context, Handle } from './engine/handle.js';
import type { ModelFiles, ValidateModel } from './model-files.js';

type Deps = {
  readonly handle: Handle;
  readonly hosted: HostedModels;
  readonly files: ModelFiles;
  readonly validate: ValidateModel;
  /** What a manifest says of a file. @throws Rejected 422 */
  readonly listingOf: (
    manifest: unknown,
    file: { readonly sha256: string; readonly bytes: number },
    now: number,
  ) => FoundationListing;
};
export type FoundationModelCommands = ReturnType<typeof foundationModelCommands>;

/** What an operator does with foundation models. */
export function foundationModelCommands({ handle, hosted, files, validate, listingOf }: Deps) {
  const mustBeHosted = async (ref: ModelRef) => {
    const model = await hosted.find(ref);
    if (!model) throw modelNotAvailable(ref.family, ref.slug);
    return model;
  };
  return {
    /** @throws Rejected 422 for a manifest or a model that will not do, and says why */
    async import(path: string, manifest: unknown, context: Context) {
      const brought = await files.bring(path);
      try {
        const listing = listingOf(manifest, brought, context.at);
        const checks = await validate(brought.path, listing);
        const failed = checks.find(({ status }) => status === 'failed');
        if (failed)
          throw new Rejected('unprocessable', 'not_validated', `${failed.name}: ${failed.message}`, {
            checks,
          });
        await files.keep(listing.sha256);
        const command = { type: 'ImportFoundationModel', data: { model: refOf(listing), listing } } as const;
        const { position } = await handle(foundationModels, command, context);
        return { listing, checks, position };
      } catch (error) {
        if (brought.isNew) await files.drop(brought.sha256);
        throw error;
      }
    },
    /** `replacement`: what to take instead; another one than before takes its place. */
    async deprecate(model: ModelRef, replacement: ModelRef | null, context: Context) {
      await mustBeHosted(model);
      if (replacement && (await mustBeHosted(replacement)).deprecatedAt !== null)
        throw new Rejected(
          'conflict',
          'MODEL_DEPRECATED',
          `${replacement.family}/${replacement.slug} is deprecated itself`,
        );
      const command = { type: 'DeprecateFoundationModel', data: { model, replacement } } as const;
      return handle(foundationModels, command, context);
    },
    async reinstate(model: ModelRef, context: Context) {
      await mustBeHosted(model);
      return handle(foundationModels, { type: 'ReinstateFoundationModel', data: { model } }, context);
    },
  };
}

const refOf = ({ family, slug }: ModelRef): ModelRef => ({ family, slug });
