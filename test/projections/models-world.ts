import { firstPartyModels } from '../../adapters/models/first-party.js';
import { memoryReadModels } from '../../adapters/memory-read-models.js';
import type { Message } from '../../domain/fact.js';
import type { FoundationListing } from '../../domain/models/hosted.js';
import { applyPage } from '../../projections/engine/apply.js';
import { collectionsOf } from '../../projections/engine/projection.js';
import { reader } from '../../projections/engine/reader.js';
import { hostedModels } from '../../projections/models/hosted.js';
import { modelsProjection } from '../../projections/models/projection.js';
import { stored } from '../spec.js';

export const TINY: FoundationListing = {
  family: 'other',
  slug: 'tiny',
  name: 'Other tiny',
  description: 'Repeats the last value',
  vendor: 'Somebody',
  licence: 'CC-BY-NC-4.0',
  commercialUse: false,
  parameters: 12,
  tasks: ['forecast'],
  maxContext: 64,
  maxHorizon: 16,
  quantiles: [0.5],
  covariates: 'none',
  releasedAt: Date.UTC(2026, 0, 1),
  paperUrl: null,
  sha256: 'ab'.repeat(32),
  bytes: 100,
  inputs: { x: 'float32 [batch, 64]' },
  outputs: { y: 'float32 [batch, 16]' },
  graph: null,
  benchmarks: null,
};

/** The read models of the models after these facts, in this order. */
export async function modelsAfter(...facts: readonly Message[]) {
  const models = memoryReadModels();
  await models.prepare(collectionsOf(modelsProjection, 0));
  await applyPage(modelsProjection, models, 0, stored(...facts));
  const read = reader(models, modelsProjection, () => 0);
  return { read, hosted: hostedModels(read, firstPartyModels()) };
}
