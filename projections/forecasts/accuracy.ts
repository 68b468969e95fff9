import { accuracyOf, MONTH_DAYS, type Windowed } from '../../domain/forecasts/accuracy.js';
import type { GoalMetric } from '../../domain/goals/settings.js';
import { DAY } from '../../domain/time.js';
import type { ForecastQueries } from './queries.js';

/** How good a goal's forecasts were; `until`: the newest step that was graded, epoch ms; null: none was. */
export async function recordOf(
  queries: Pick<ForecastQueries, 'actuals' | 'lastActuals' | 'record'>,
  workspace: string,
  goalId: string,
  metric: GoalMetric,
): Promise<Windowed & { readonly until: number | null }> {
  const last = await queries.lastActuals(workspace, goalId);
  const until = last && Math.max(...last.steps.map(({ time }) => time));
  const docs =
    until === null ? [] : await queries.actuals(workspace, goalId, until - MONTH_DAYS * DAY, until);
  const record = await queries.record(workspace, goalId);
  const steps = docs.flatMap(doc => doc.steps);
  return { ...accuracyOf(steps, metric, record?.scale ?? null), until };
}
