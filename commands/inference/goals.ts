import type { ServedDeployment } from '../../domain/deployments/served.js';
import type { ForGoal } from '../../domain/inference/moves.js';
import type { Given } from '../../domain/inference/given.js';
import type { KeptForecasts } from '../../domain/inference/kept-forecast.js';
import type { Moves } from '../../domain/inference/moves.js';
import type { InferenceRequest } from '../../domain/inference/request.js';
import type { ForecastMany } from '../../domain/maths/forecasting/forecaster.js';
import type { Columns } from '../../domain/signals/points.js';
import type { Histories } from './histories.js';

/** Forecasts that are asked for only where they are not remembered; `of`: whose, and by which model. */
export type Remembered = (of: string, forecast: ForecastMany) => ForecastMany;

/** What answers: a deployment, or what serves a goal. */
export type Answering = Omit<ServedDeployment, 'promotionId'> & {
  /** Null: it has no deployment. */
  readonly promotionId: string | null;
  /** How it is asked for forecasts, where that is not by its forecaster alone. */
  readonly manyBy?: (remembered: Remembered, signal: AbortSignal) => Promise<ForecastMany>;
  /** Bands stay as the model gives them. */
  readonly bands?: 'model';
};

/** A goal's target, which is forecast. */
export type GoalTarget = {
  /** Of the points that were read once, on the steps of the goal. */
  readonly again: (points: Columns) => Given;
  /** A forecast of it, moved by all that moves the goal's own; with what was known then, once more. */
  readonly moved: (made: KeptForecasts, given: Given, known?: Moves) => Promise<KeptForecasts>;
};

/** What serves a goal, ready to be asked. */
export type AskedOfGoal = {
  readonly answering: Answering;
  /** As it is meant of this goal, with what the goal says where the caller does not. */
  readonly request: InferenceRequest;
  /** Null: the request brings other series. */
  readonly target: GoalTarget | null;
  /** The target as it was read, and the position of the log that read models stood at; null: it was not. */
  readonly histories: (Histories & { readonly upTo: number }) | null;
  readonly forGoal: ForGoal;
};

/** What inferences ask of goals. */
export type GoalsAsked = {
  /**
   * What serves a goal, in its order of falling back: the first that is there, then those behind it. `asOf`
   * (epoch ms): of the goal as it stood then.
   * @throws Rejected 404 for a goal that is not there, 409 for one that is not served; of the last that could
   *   not
   */
  readonly serving: (
    workspace: string,
    request: InferenceRequest,
    at: { readonly now: number; readonly asOf: number | null },
  ) => AsyncGenerator<AskedOfGoal, never, unknown>;
  /** The very one that answered. @throws Rejected where its model is gone */
  readonly again: (workspace: string, request: InferenceRequest, forGoal: ForGoal) => Promise<AskedOfGoal>;
};
