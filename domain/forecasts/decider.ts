import type { Decider } from '../decider.js';
import type { Fact, Message } from '../fact.js';
import { Rejected } from '../rejected.js';
import type { GoalForecastFact, GoalForecastIssued, GoalForecastMissed } from './facts.js';

type In = { readonly workspace: string; readonly forecastId: string };
/** Gives a forecast out. Of one beat there is one. */
export type IssueForecast = Message<'IssueForecast', In & { readonly issued: GoalForecastIssued['data'] }>;
export type MissForecast = Message<'MissForecast', In & { readonly missed: GoalForecastMissed['data'] }>;
export type ForecastCommand = IssueForecast | MissForecast;

export type ForecastState =
  | { readonly status: 'none' | 'missed' }
  | { readonly status: 'issued'; readonly issued: GoalForecastIssued['data']; readonly at: number };

/** What was given out, or missed, stays so. */
function decide(command: ForecastCommand, { status }: ForecastState): readonly GoalForecastFact[] {
  if (status !== 'none') return [];
  return command.type === 'IssueForecast'
    ? [{ type: 'GoalForecastIssued', data: command.data.issued }]
    : [{ type: 'GoalForecastMissed', data: command.data.missed }];
}

const evolve = (_: ForecastState, fact: Fact<GoalForecastFact>): ForecastState =>
  fact.type === 'GoalForecastIssued'
    ? { status: 'issued', issued: fact.data, at: fact.at }
    : { status: 'missed' };

export const forecastNotFound = (forecastId: string): Rejected =>
  new Rejected('missing', 'not_found', `There is no forecast ${forecastId}`, { forecast_id: forecastId });

/** Of the journal, within its category. */
export const forecastJournalId = (workspace: string, forecastId: string): string =>
  `${workspace}.${forecastId}`;

/** Forecasts of goals: each is given out once, and never changes. */
export const goalForecasts: Decider<ForecastCommand, GoalForecastFact, ForecastState> = {
  category: 'goal_forecast',
  idOf: ({ data }) => forecastJournalId(data.workspace, data.forecastId),
  initialState: { status: 'none' },
  decide,
  evolve,
};
