import { firstPartyModels } from '../adapters/models/first-party.js';
import { hostedModels } from '../projections/models/hosted.js';
import { modelsProjection } from '../projections/models/projection.js';
import { area } from './area.js';
import type { Kernel } from './kernel.js';

/** What can be deployed or trained. */
export const modelsArea = ({ read }: Kernel) =>
  area({ name: 'models', hosted: hostedModels(read(modelsProjection), firstPartyModels()) });
export type ModelsArea = ReturnType<typeof modelsArea>;
