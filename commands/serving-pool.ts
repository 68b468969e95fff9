import type { Replicas } from '../domain/deployments/facts.js';
import type { Figures } from '../domain/deployments/figures.js';
import type { Forecaster } from '../domain/maths/forecasting/forecaster.js';
import type { HostedModel, ModelRef } from '../domain/models/hosted.js';
import { Rejected } from '../domain/rejected.js';

/** What a deployment is served with. */
export type LivePath = {
  readonly promotionId: string;
  /** Whose forecasts share what one may have under way: a workspace, or what is tried by itself. */
  readonly lane: string;
  readonly model: HostedModel;
  readonly replicas: Replicas;
};

/** The port to the workers that forecast, in this process or in others. */
export type ServingPool = {
  /**
   * The way that every forecast of a deployment takes: at most `replicas.max` workers are at it at once, and
   * each call is counted in its figures. Rejects as a `Forecaster` does, and with `NoWorkers` while nobody
   * serves.
   */
  forecaster(path: LivePath): Forecaster;
  /** Workers that have a model loaded and have just made a forward pass with it. */
  ready(model: ModelRef): number;
  /** All workers there are; 0: nobody serves. */
  workers(): number;
  figures(promotionId: string): Promise<Figures>;
  /** The deployments that were called within the last hour, with their figures. */
  called(): Promise<ReadonlyMap<string, Figures>>;
  /** Ends the calls of a deployment that are still under way. */
  end(promotionId: string): Promise<void>;
  close(): Promise<void>;
};

/**
 * A model that was brought or trained cannot be asked: whoever made it has to mend it. `cause`: what the
 * runtime said, for the log.
 */
export class ModelFailed extends Rejected {
  constructor(why: string, cause?: unknown) {
    super('unprocessable', 'model_failed', `The model failed: ${why}`);
    this.cause = cause;
  }
}

/** Also of a refusal that another process answered. */
export const isModelFailed = (error: unknown): boolean =>
  error instanceof Rejected && error.code === 'model_failed';

/** No process that serves can be reached just now. */
export class NoWorkers extends Rejected {
  constructor() {
    super('unavailable', 'overloaded', 'No worker of the serving pool is ready; try again soon', {
      retry_after_s: 2,
    });
  }
}
