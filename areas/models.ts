import { firstPartyModels } from '../adapters/models/first-party.js';
import { listingOf } from '../adapters/models/manifest.js';
import { validateModel } from '../adapters/models/validate.js';
import type { Adapters, ModelDeps, Serving } from '../api/models/deps.js';
import { modelRows } from '../api/models/rows.js';
import { foundationModelCommands } from '../commands/foundation-models.js';
import { modelCommands } from '../commands/models.js';
import { creditsNumber } from '../domain/billing/amounts.js';
import type { ModelRef } from '../domain/models/hosted.js';
import { ownersNamed } from '../projections/models/builtin.js';
import { hostedModels } from '../projections/models/hosted.js';
import { modelsProjection } from '../projections/models/projection.js';
import { modelQueries } from '../projections/models/queries.js';
import { area } from './area.js';
import type { BillingArea } from './billing.js';
import type { IdentityArea } from './identity.js';
import type { Kernel } from './kernel.js';
import { modelNotices } from './notices.js';

/** `adapters`, `recommended`, `serving`: asked of what is built on models. */
type On = {
  readonly identity: IdentityArea;
  readonly billing: BillingArea;
  readonly adapters: Adapters;
  readonly recommended: ModelDeps['recommended'];
  readonly serving: (model: ModelRef) => Serving;
};

/** What can be deployed or trained. */
export const modelsArea = (kernel: Kernel, { identity, billing, ...asked }: On) => {
  const { config, stores, handle, clock, read, visibleIn } = kernel;
  const documents = read(modelsProjection);
  const hosted = hostedModels(documents, firstPartyModels());
  const queries = modelQueries(documents, hosted);
  return area({
    name: 'models',
    ...{ hosted, queries },
    notices: modelNotices,
    /** What an operator does. */
    operated: foundationModelCommands({
      ...{ handle, hosted, listingOf },
      files: stores.modelFiles,
      validate: validateModel,
    }),
    rows: modelRows({
      ...asked,
      ...{ hosted, queries, clock },
      commands: modelCommands(handle),
      namesOf: ownersNamed(identity.namesOf),
      priceOf: intensity => creditsNumber(billing.credits.priceOf(`finetune.${intensity}`, 1).amount),
      mostPublic: config.PUBLIC_MODELS_PER_WORKSPACE,
      cell: config.CELL,
      visible: visibleIn(modelsProjection),
    }),
  });
};
export type ModelsArea = ReturnType<typeof modelsArea>;
