import { DEFAULTS, type OnNewData, type PipelineSettings } from '../../domain/pipelines/settings.js';
import type { FromSchema } from '../../json-schema.js';
import { notValid } from '../edge/errors.js';
import { windowsOf } from '../edge/windows.js';
import type { PipelineDeps } from './deps.js';
import { mindPoolLicences } from './licences.js';
import { poolIn } from './pool.js';
import type { settingsBody } from './schemas.js';

export type Given = FromSchema<typeof settingsBody>;
type Deps = Pick<PipelineDeps, 'resolve' | 'segment' | 'hosted'>;

/**
 * The settings that a whole body means, with what stands for the parts it does not name. `before`: of a
 * pipeline whose models stay; they are looked at again where the horizon or the segment becomes another, and
 * only then.
 * @throws Rejected 422 that names the field, 404 for a model that is not there or another's, 400 for what a
 *   foundation or an uploaded model cannot do, 403 for a licence that forbids what is deployed of it
 */
export async function settingsIn(
  deps: Deps,
  workspace: string,
  given: Given,
  before: PipelineSettings | null = null,
): Promise<PipelineSettings> {
  const { segment: segmentId, forecast_horizon: horizon = null, budget } = given;
  const metric = given.metric ?? DEFAULTS.metric;
  const segment = await deps.segment(workspace, segmentId);
  if (!segment)
    throw notValid([{ loc: ['body', 'segment'], msg: 'there is no such segment', type: 'unknown' }]);
  const { demote_previous, min_improvement } = given.promotion_policy ?? {};
  const mode = given.promotion_policy?.mode ?? DEFAULTS.policy.mode;
  const isAccepted = given.accept_non_commercial ?? false;
  // Without a promotion nothing is deployed
  const isFree = isAccepted || mode === 'off';
  const kept = before?.horizon === horizon && before.segmentId === segmentId ? before : null;
  const pool = kept?.entries ?? (await poolIn(deps, workspace, given, segment.horizon, isFree));
  if (kept && isFreeIn(kept)) await mindPoolLicences(deps, pool, isFree);
  const { training_schedule: schedule = null } = given;
  return {
    name: given.name ?? segment.name,
    ...{ segmentId, entries: pool, horizon, metric },
    schedule: schedule && windowsOf(schedule, ['training_schedule'], DEFAULTS.gapSeconds),
    policy: {
      mode,
      demotePrevious: demote_previous ?? DEFAULTS.policy.demotePrevious,
      minImprovement: min_improvement ?? DEFAULTS.policy.minImprovement,
    },
    onNewData: onNewDataIn(given),
    monthlyCreditCap: capIn(budget?.monthly_credit_cap ?? null),
    ...(isAccepted && { acceptNonCommercial: true as const }),
  };
}

/** Whether licences forbid nothing of what comes of it. */
const isFreeIn = ({ acceptNonCommercial, policy }: PipelineSettings): boolean =>
  acceptNonCommercial === true || policy.mode === 'off';

/** 0 is no cap. */
const capIn = (cap: number | null): number | null => (cap === 0 ? null : cap);

function onNewDataIn({ retrain_triggers }: Given): OnNewData | null {
  const given = retrain_triggers?.on_new_data ?? null;
  if (given === null) return null;
  const { onNewData } = DEFAULTS;
  return {
    minRows: given.min_rows ?? onNewData.minRows,
    quietSeconds: given.quiet_seconds ?? onNewData.quietSeconds,
    maxWaitSeconds: given.max_wait_seconds ?? onNewData.maxWaitSeconds,
    cooldownSeconds: given.cooldown_seconds ?? onNewData.cooldownSeconds,
  };
}
