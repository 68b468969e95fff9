import type { Price } from '../billing/credits.js';
import type { Message } from '../fact.js';
import type { Assumption } from './assumptions.js';

type OfScenario = { readonly scenarioId: string; readonly goalId: string };

/** Somebody asks what would be. `base`: a forecast, or the newest one at each run. */
export type ScenarioCreated = Message<
  'ScenarioCreated',
  OfScenario & {
    readonly name: string;
    readonly description: string;
    readonly base: 'latest' | { readonly forecastId: string };
    readonly assumptions: readonly Assumption[];
    /** Steps ahead; null: those of the base. */
    readonly horizon: number | null;
    /** The user whose it is. */
    readonly owner: string;
  }
>;

type OfRun = OfScenario & { readonly run: number };
/** It waits. Runs are counted from 1; `asOf`: what the base knew, epoch ms. */
export type ScenarioRunRequested = Message<
  'ScenarioRunRequested',
  OfRun & {
    readonly baseForecastId: string;
    readonly asOf: number;
    readonly horizon: number;
    readonly price: Price;
    /** How it is named in ledgers: another each time that it is tried. */
    readonly paidAs: string;
    /** It was worked on while the caller waited; else its price is held until it is over. */
    readonly atOnce: boolean;
  }
>;
export type ScenarioRunStarted = Message<'ScenarioRunStarted', OfRun>;

/** Values of the steps; `quantiles[k]` belongs to the level at the same place. */
export type Columns = {
  readonly mean: readonly number[];
  readonly quantiles: readonly (readonly number[])[];
};
/** An assumption that goes beyond what was seen by then; `key`: of a signal or a stream. */
export type Extrapolation = {
  readonly index: number;
  readonly key: string;
  readonly field: 'value' | 'importance' | 'impact';
  readonly value: number;
  readonly low: number;
  readonly high: number;
};
/** An assumption that changes nothing, or not all that it would; `index` null: the scenario as a whole. */
export type ScenarioWarning = {
  readonly index: number | null;
  readonly code: 'no_edge' | 'no_effect' | 'response_unknown';
  readonly message: string;
};
export type ScenarioResult = {
  /** Beginnings of the steps, epoch ms. */
  readonly times: readonly number[];
  readonly levels: readonly number[];
  readonly points: Columns;
  /** The points less those of the base. */
  readonly delta: Columns;
  /** The sum of the deltas of the mean, and the part of each assumption; these add up to it exactly. */
  readonly totalDelta: number;
  readonly contributions: readonly number[];
  readonly extrapolations: readonly Extrapolation[];
  readonly warnings: readonly ScenarioWarning[];
  /** Edges by which it acts. */
  readonly edgeIds: readonly string[];
};
export type ScenarioRunCompleted = Message<
  'ScenarioRunCompleted',
  OfRun & { readonly result: ScenarioResult; readonly codeVersion: string }
>;
export type ScenarioRunFailed = Message<
  'ScenarioRunFailed',
  OfRun & { readonly code: string; readonly message: string }
>;
export type ScenarioDeleted = Message<'ScenarioDeleted', OfScenario>;

/** Journal `scenario-<workspace>.<scenario_id>`. */
export type ScenarioFact =
  | ScenarioCreated
  | ScenarioRunRequested
  | ScenarioRunStarted
  | ScenarioRunCompleted
  | ScenarioRunFailed
  | ScenarioDeleted;
