import {
  GOAL_METRICS,
  MOST_FORECAST_VALUES,
  OBJECTIVES,
  type GoalOptions,
  type GoalSettings,
} from '../../domain/goals/settings.js';
import { stepAsked, stepKept } from '../../domain/goals/steps.js';
import { levelsOf } from '../../domain/inference/request.js';
import type { FromSchema } from '../../json-schema.js';
import { mergedOr } from '../edge/clearing.js';
import { notValid } from '../edge/errors.js';
import { checkTimeZone } from '../edge/time-zone.js';
import { timeIn } from '../edge/times.js';
import type { GoalDeps } from './deps.js';
import type { patchBody, settingsBody } from './schemas.js';

export type Given = FromSchema<typeof settingsBody>;
export type GivenPatch = FromSchema<typeof patchBody>;
type Deps = Pick<GoalDeps, 'target' | 'hasSegment' | 'hasPipeline'>;

/**
 * The settings that a whole body means, with what stands for the parts it does not name. `before`: what need
 * not be looked for again; null: of a new one.
 * @throws Rejected 422 that names the field
 */
export async function settingsIn(
  deps: Deps,
  workspace: string,
  given: Given,
  before: GoalSettings | null,
  within: Within = BODY,
): Promise<GoalSettings> {
  checkTimeZone(given, within);
  const stepS = await stepOf(deps, workspace, given, before);
  // One of an earlier version keeps steps of one length
  const step = before?.stepS === stepS ? stepKept(before) : stepAsked(stepS);
  await checkExists(deps, workspace, given, before, within);
  const options = optionsOf(given.options ?? {});
  if (given.horizon * options.quantiles.length > MOST_FORECAST_VALUES) {
    const msg = `horizon times quantiles must be at most ${MOST_FORECAST_VALUES}`;
    throw notValid([{ loc: [...within, 'options', 'quantiles'], msg, type: 'range' }]);
  }
  return {
    ...{ name: given.name, description: given.description ?? '', target: given.target },
    ...objectiveOf(given, within),
    ...{ horizon: given.horizon, ...step, cadenceS: given.cadence_s ?? stepS },
    ...{ timezone: given.timezone ?? 'UTC', metric: given.metric ?? GOAL_METRICS[0] },
    candidates: {
      signals: given.candidates?.signals ?? 'all',
      eventStreams: given.candidates?.event_streams ?? 'all',
      exclude: given.candidates?.exclude ?? [],
    },
    options,
    tags: [...new Set(given.tags)],
    segmentId: given.segment_id ?? null,
    pipelineId: given.pipeline_id ?? null,
  };
}

/** Also looks whether the target is there. */
async function stepOf({ target }: Deps, workspace: string, given: Given, before: GoalSettings | null) {
  const { step_s: said = null } = given;
  if (before?.target === given.target && said !== null) return said;
  const found = await target(workspace, given.target);
  if (!found) throw wrong('target', 'there is no such signal');
  const stepS = said ?? (await found.stepS());
  if (stepS === null) throw wrong('step_s', 'is required: the target has too few points to take it from');
  return stepS;
}

async function checkExists(
  deps: Deps,
  workspace: string,
  given: Given,
  before: GoalSettings | null,
  within: Within,
): Promise<void> {
  const { segment_id: segmentId = null, pipeline_id: pipelineId = null } = given;
  if (segmentId !== null && segmentId !== before?.segmentId && !(await deps.hasSegment(workspace, segmentId)))
    throw wrong('segment_id', 'there is no such segment', within);
  if (
    pipelineId !== null
    && pipelineId !== before?.pipelineId
    && !(await deps.hasPipeline(workspace, pipelineId))
  )
    throw wrong('pipeline_id', 'there is no such pipeline', within);
}

type Within = readonly string[];
const BODY: Within = ['body'];
const wrong = (field: string, msg: string, within = BODY) =>
  notValid([{ loc: [...within, field], msg, type: 'unknown' }]);

function objectiveOf({ objective, objective_params }: Given, within: Within) {
  const { value = null, direction = null, by = null } = objective_params ?? {};
  if (objective === 'threshold' && value === null)
    throw notValid([
      { loc: [...within, 'objective_params', 'value'], msg: 'is required of a threshold', type: 'missing' },
    ]);
  return {
    objective: objective ?? OBJECTIVES[0],
    objectiveParams: {
      ...(value !== null && { value }),
      ...(direction !== null && { direction }),
      ...(by !== null && { by: timeIn(by, [...within, 'objective_params', 'by']) }),
    },
  };
}

const optionsOf = (given: NonNullable<Given['options']>): GoalOptions => ({
  scheduledEvents: given.scheduled_events ?? true,
  shockEnabled: given.shock_enabled ?? true,
  importanceBar: given.importance_bar ?? null,
  autoDiscovery: given.auto_discovery ?? 'on_drift',
  autoTournament: given.auto_tournament ?? 'on_drift',
  quantiles: levelsOf(given.quantiles ?? undefined),
  calibration: given.calibration ?? 'conformal',
  maxCreditPerMonth: given.max_credit_per_month ?? null,
  fallback: given.fallback ?? 'seasonal_naive',
});

/** Settings as they are given. */
export const givenOf = (settings: GoalSettings): Given => {
  const { candidates, options, objectiveParams } = settings;
  const { by, ...params } = objectiveParams;
  return {
    ...{ name: settings.name, description: settings.description, target: settings.target },
    ...{ objective: settings.objective, horizon: settings.horizon, metric: settings.metric },
    objective_params: { ...params, ...(by !== undefined && { by }) },
    ...{ step_s: settings.stepS, cadence_s: settings.cadenceS, timezone: settings.timezone },
    candidates: {
      signals: mutable(candidates.signals),
      event_streams: mutable(candidates.eventStreams),
      exclude: [...candidates.exclude],
    },
    options: {
      scheduled_events: options.scheduledEvents,
      shock_enabled: options.shockEnabled,
      importance_bar: options.importanceBar,
      auto_discovery: options.autoDiscovery,
      auto_tournament: options.autoTournament,
      quantiles: [...options.quantiles],
      calibration: options.calibration,
      max_credit_per_month: options.maxCreditPerMonth,
      fallback: options.fallback,
    },
    tags: [...settings.tags],
    ...{ segment_id: settings.segmentId, pipeline_id: settings.pipelineId },
  };
};
const mutable = (sources: 'all' | readonly string[]) => (sources === 'all' ? sources : [...sources]);

/**
 * A whole body of settings and what a PATCH names: members of members too; null clears. A cadence that is the
 * step's goes on with another step, unless it is named.
 */
export const patched = (before: Given, patch: GivenPatch): Given => ({
  ...before,
  ...(patch.step_s !== undefined && before.cadence_s === before.step_s && { cadence_s: null }),
  ...patch,
  objective_params: mergedOr(before.objective_params, patch.objective_params),
  candidates: mergedOr(before.candidates, patch.candidates),
  options: mergedOr(before.options, patch.options),
});
