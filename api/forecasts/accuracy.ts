import { iso } from '../../domain/time.js';
import { recordOf } from '../../projections/forecasts/accuracy.js';
import { row, type Row } from '../edge/row.js';
import { goalIn, ofGoal, readAccess, tag, type ForecastDeps } from './deps.js';
import * as schemas from './schemas.js';

/** How good a goal's forecasts were. */
export const actualRows = (deps: ForecastDeps): Row[] => [
  row({
    method: 'get',
    path: `${ofGoal}/accuracy`,
    operation: 'getGoalAccuracy',
    summary: "How good a goal's forecasts were",
    description:
      'Each forecast of each step counts once its actual came. Seasonal naive of the same history, at the '
      + 'same step ahead, is what they are held against.',
    tag,
    access: readAccess,
    params: schemas.goalParams,
    errors: { 404: ['not_found'] },
    answers: { 200: { description: 'In the metric of the goal', schema: schemas.accuracyAnswer } },
    async run({ workspace, params: { goal_id: goalId } }) {
      const { settings } = await goalIn(deps, workspace, goalId);
      const { until, week, month, byLead } = await recordOf(deps.queries, workspace, goalId, settings.metric);
      return {
        body: {
          data: {
            ...{ goal_id: goalId, metric: settings.metric },
            ...{ value_7d: week.value, value_30d: month.value, skill_vs_naive: month.skill },
            ...{ coverage_80_30d: month.coverage, graded_steps: month.n },
            until: until === null ? null : iso(until),
            by_step: byLead.map(({ lead, value, skill, coverage, n }) => ({
              ...{ steps_ahead: lead, value, skill_vs_naive: skill, coverage_80: coverage, graded_steps: n },
            })),
          },
        },
      };
    },
  }),
];
