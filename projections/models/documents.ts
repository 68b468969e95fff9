import type { Format, Signature } from '../../domain/byom/signature.js';
import type { BlueprintKind, BlueprintLabels } from '../../domain/models/facts.js';
import type { FoundationListing, ModelRef } from '../../domain/models/hosted.js';

/** What people made of it: deployments ever made and alive, and the sum and count of ratings. */
export type Standing = {
  readonly downloads: number;
  readonly in_use_by: number;
  readonly rating_sum: number;
  readonly rating_count: number;
};

export const UNUSED: Standing = { downloads: 0, in_use_by: 0, rating_sum: 0, rating_count: 0 };

/**
 * What happened to a foundation model, by its id in the catalogue. `listing`: null for the first-party ones,
 * which come with the platform. Times are epoch ms.
 */
export type FoundationDoc = Standing & {
  readonly _id: string;
  readonly listing: FoundationListing | null;
  readonly listed_at: number | null;
  readonly deprecated_at: number | null;
  readonly replacement: ModelRef | null;
};

/** A model that somebody brought. */
export type BroughtKind = {
  readonly kind: 'byom';
  readonly byom: { readonly byomId: string; readonly format: Format; readonly signature: Signature };
};

/** A blueprint that somebody made. `rating`: the mean, 0 where nobody rated it. */
export type BlueprintDoc = BlueprintLabels &
  (BlueprintKind | BroughtKind) &
  Standing & {
    readonly _id: string;
    readonly workspace: string;
    readonly owner: string;
    readonly framework: string;
    readonly training_environment: string;
    readonly rating: number;
    readonly created_at: number;
    readonly updated_at: number;
  };
