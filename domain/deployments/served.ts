import type { Forecaster } from '../maths/forecasting/forecaster.js';
import type { MadeBy, ModelRef } from '../models/hosted.js';
import { Rejected } from '../rejected.js';

/** What a forecast needs to know of the deployment that makes it. */
export type ServedDeployment = {
  readonly promotionId: string;
  readonly model: ModelRef & { readonly version: string; readonly name: string };
  /** Of a model that was trained here. */
  readonly madeBy?: MadeBy;
  /** Steps ahead where the caller does not say, and at most. */
  readonly horizon: number;
  readonly maxHorizon: number;
  readonly lookback: number;
  /** Whether the model must be told when values were. */
  readonly readsTimes: boolean;
  /** Covariates that the model itself reads, by name. */
  readonly reads: readonly string[];
  /**
   * Through the live path: as many workers as the deployment has replicas; what it does and how long it takes
   * counts in the deployment's health.
   */
  readonly forecaster: Forecaster;
};

/**
 * The deployment of a workspace, ready to be asked; a sleeping one is woken.
 * @throws Rejected 404 not_found, 409 deployment_not_ready (`retry_after_s`), 410 deployment_retired
 *   (`details.replacement`)
 */
export type ServedDeployments = (workspace: string, promotionId: string) => Promise<ServedDeployment>;

/**
 * The id of the deployment that serves in the place of one of a workspace: of a retired one its replacement,
 * or what took the place of that in turn. Its own where nothing did.
 */
export type InPlace = (workspace: string, promotionId: string) => Promise<string>;

/** What took the place of a deployment that was retired, where that is why it does not serve; else null. */
export function replacementIn(error: unknown): string | null {
  if (!(error instanceof Rejected) || error.code !== 'deployment_retired') return null;
  return (error.details['replacement'] as string | null | undefined) ?? null;
}
