import { row, type Row } from '../edge/row.js';
import { forecastsPath, goalIn, tag, writeAccess, type ForecastDeps } from './deps.js';
import * as schemas from './schemas.js';

/** A forecast from what was known when it was issued, once more. */
export const replayRow = (deps: ForecastDeps): Row =>
  row({
    method: 'post',
    path: `${forecastsPath}/{forecast_id}/replay`,
    operation: 'replayGoalForecast',
    summary: 'Make a forecast of a goal again from the log, and compare',
    description:
      'From the points that were read, the model, and what was known of events and of a shock, with the '
      + 'widths that its bands had. Nothing is issued, and it costs nothing. Also by a deployment that is '
      + 'retired, as long as its model is there.',
    tag,
    access: { ...writeAccess, from: 'analyst' },
    policy: 'inference',
    params: schemas.forecastParams,
    errors: {
      404: ['not_found', 'model_not_available'],
      422: ['insufficient_history', 'invalid_series', 'analysis_too_long', 'model_failed'],
      503: ['overloaded', 'SERVING_UNAVAILABLE', 'model_file_unavailable'],
    },
    answers: {
      200: { description: 'Whether all is the same, to the bit', schema: schemas.replayAnswer },
    },
    async run({ workspace, params: { goal_id: goalId, forecast_id: forecastId }, signal }) {
      const goal = await goalIn(deps, workspace, goalId);
      return { body: { data: await deps.replay({ workspace, goalId, forecastId }, goal, signal) } };
    },
  });
