import { mindMaxCredits } from '../../commands/billing/max-credits.js';
import { newForecastId } from '../../commands/forecasts/records.js';
import { invalidState } from '../../domain/goals/refusals.js';
import { contextOf } from '../edge/context.js';
import { row, type Row } from '../edge/row.js';
import { forecastsPath, goalIn, tag, writeAccess, type ForecastDeps } from './deps.js';
import { forecastOf, withActuals } from './issued.js';
import * as schemas from './schemas.js';

/** A forecast now, whatever the cadence says. */
export const nowRow = (deps: ForecastDeps): Row =>
  row({
    method: 'post',
    path: forecastsPath,
    operation: 'issueGoalForecast',
    summary: 'Forecast a goal now',
    description: 'Beside the cadence, which goes on. Without credits it is seasonal naive, and says so.',
    tag,
    access: { ...writeAccess, from: 'analyst' },
    policy: 'inference',
    params: schemas.goalParams,
    body: schemas.nowBody,
    errors: {
      400: ['horizon_above_cap'],
      402: ['price_above_max'],
      404: ['not_found', 'model_not_available'],
      409: ['invalid_state', 'no_champion', 'deployment_not_ready'],
      410: ['deployment_retired'],
      422: ['insufficient_history', 'invalid_series', 'covariates_required'],
      503: ['SERVING_UNAVAILABLE'],
    },
    answers: { 201: { description: 'The forecast', schema: schemas.oneAnswer } },
    async run(call) {
      const { workspace, params, body, signal } = call;
      const { goal_id: goalId } = params;
      const goal = await goalIn(deps, workspace, goalId);
      if (goal.status !== 'active') throw invalidState(goal.status, 'be forecast');
      mindMaxCredits(deps.issuing.priceOf(goal), body.max_credits);
      const wanted = { goalId, forecastId: newForecastId(), trigger: 'manual', dueAt: null } as const;
      const context = contextOf(call, deps.clock());
      const [issued] = await deps.issuing.issue(workspace, [wanted], context, signal);
      if (issued!.status === 'failed') throw issued!.error;
      if (issued!.status === 'idle') throw invalidState(goal.status, 'be forecast');
      await deps.visible(issued!.position);
      const doc = await forecastOf(deps, workspace, goalId, wanted.forecastId);
      const [data] = await withActuals(deps, workspace, goalId, [doc], goal.settings.metric);
      return { status: 201, body: { data: data! } };
    },
  });
