import { hash } from 'node:crypto';
import { actualsJournalId, goalActuals } from '../../domain/forecasts/actuals-decider.js';
import { forecastJournalId, goalForecasts } from '../../domain/forecasts/decider.js';
import type {
  GoalActualsCame,
  GoalForecastIssued,
  GoalForecastMissed,
} from '../../domain/forecasts/facts.js';
import type { Context, Handle, Load } from '../engine/handle.js';
import { newId } from '../engine/ids.js';

const PREFIX = 'fct_';
/** Of the part of an id that follows from what it is of. */
const ID_LENGTH = 16;

/** The id of a forecast that is made once by a text: of a goal's beat, or of the fact that asked for it. */
export const forecastOnce = (workspace: string, goalId: string, once: string): string =>
  PREFIX + hash('sha256', `${workspace}/${goalId}/${once}`).slice(0, ID_LENGTH);
export const newForecastId = (): string => newId(PREFIX);

export type ForecastRecords = ReturnType<typeof forecastRecords>;

/** What is written of goals' forecasts. */
export const forecastRecords = ({ handle, load }: { readonly handle: Handle; readonly load: Load }) => ({
  issue: (workspace: string, issued: GoalForecastIssued['data'], context: Context) =>
    handle(
      goalForecasts,
      { type: 'IssueForecast', data: { workspace, forecastId: issued.forecastId, issued } },
      { ...context, workspace },
    ),
  miss: (workspace: string, forecastId: string, missed: GoalForecastMissed['data'], context: Context) =>
    handle(
      goalForecasts,
      { type: 'MissForecast', data: { workspace, forecastId, missed } },
      { ...context, workspace },
    ),
  /** As its facts tell it. */
  state: (workspace: string, forecastId: string) =>
    load(goalForecasts, forecastJournalId(workspace, forecastId)),
  /** `day`: of the steps (UTC). */
  note: (workspace: string, day: string, came: GoalActualsCame['data'], context: Context) =>
    handle(goalActuals, { type: 'NoteActuals', data: { workspace, day, came } }, { ...context, workspace }),
  /** Steps of a day that are known. */
  known: (workspace: string, goalId: string, day: string) =>
    load(goalActuals, actualsJournalId(workspace, goalId, day)),
});
