import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { HostedModel } from '../../domain/models/hosted.js';
import { FIRST_PARTY, type Covariates } from '../../domain/models/hosted.js';
import { defaultFamilyDir, manifestOf, slugsIn, type Manifest } from '../forecaster/files.js';

/** The rest of a manifest: what the catalogue says of a model. */
type Described = Manifest & {
  readonly licence: string;
  readonly commercial_use: boolean;
  readonly parameters: number;
  readonly bytes: number;
  readonly inputs: Readonly<Record<string, string>>;
  readonly outputs: Readonly<Record<string, string>>;
  readonly evaluation?: Readonly<Record<string, unknown>>;
};

/** `listing.json` of the folder: what people are told of the models, in words. */
type Listing = {
  readonly vendor: string;
  readonly covariates: Covariates;
  readonly models: Readonly<Record<string, ListedModel>>;
};
type ListedModel = {
  readonly name: string;
  readonly description: string;
  readonly released_at: string;
  readonly recommended: boolean;
};

/**
 * The first-party models, from the manifests of their folder and `listing.json` beside them.
 * @throws Error that names the file when something is missing
 */
export function firstPartyModels(dir = defaultFamilyDir()): readonly HostedModel[] {
  const { models, ...common } = JSON.parse(readFileSync(join(dir, 'listing.json'), 'utf8')) as Listing;
  return slugsIn(dir).map(slug => {
    const listed = models[slug];
    if (!listed) throw new Error(`${join(dir, 'listing.json')} says nothing of ${slug}`);
    return hosted(manifestOf(dir, slug) as Described, listed, common);
  });
}

function hosted(
  manifest: Described,
  { name, description, released_at, recommended }: ListedModel,
  { vendor, covariates }: Omit<Listing, 'models'>,
): HostedModel {
  const { slug, licence, parameters, tasks, caps, quantiles, sha256, bytes, inputs, outputs } = manifest;
  const releasedAt = Date.parse(released_at);
  return {
    family: FIRST_PARTY,
    ...{ slug, name, description, vendor, licence, parameters, tasks, quantiles, covariates, releasedAt },
    commercialUse: manifest.commercial_use,
    maxContext: caps.context,
    maxHorizon: caps.horizon,
    paperUrl: null,
    ...{ sha256, bytes, inputs, outputs },
    graph: null,
    benchmarks: manifest.evaluation ?? null,
    version: sha256.slice(0, 12),
    recommended,
    listedAt: releasedAt,
    deprecatedAt: null,
    replacement: null,
  };
}
