import type { Resolved } from '../../commands/trainings/resolving.js';
import { wantedOf } from '../../commands/pipelines/cycles.js';
import {
  DEFAULTS,
  withoutDoubles,
  type EntryRef,
  type OnNewData,
  type PipelineSettings,
  type PoolEntry,
} from '../../domain/pipelines/settings.js';
import { Rejected } from '../../domain/rejected.js';
import type { FromSchema } from '../../json-schema.js';
import { notValid } from '../edge/errors.js';
import { windowsOf } from '../edge/windows.js';
import type { PipelineDeps } from './deps.js';
import { mindPoolLicences } from './licences.js';
import type { settingsBody } from './schemas.js';

export type Given = FromSchema<typeof settingsBody>;
type GivenEntry = Given['models'][number];
type Deps = Pick<PipelineDeps, 'resolve' | 'segmentName' | 'hosted'>;

/**
 * The settings that a whole body means, with what stands for the parts it does not name. `before`: of a
 * pipeline whose models stay; they are looked at again where the horizon becomes another, and only then.
 * @throws Rejected 422 that names the field, 404 for a model that is not there or another's, 400 for what a
 *   foundation model cannot do, 403 for a licence that forbids what is deployed of it
 */
export async function settingsIn(
  deps: Deps,
  workspace: string,
  given: Given,
  before: PipelineSettings | null = null,
): Promise<PipelineSettings> {
  const { segment, forecast_horizon: horizon = null, budget } = given;
  const metric = given.metric ?? DEFAULTS.metric;
  const segmentName = await deps.segmentName(workspace, segment);
  if (segmentName === null)
    throw notValid([{ loc: ['body', 'segment'], msg: 'there is no such segment', type: 'unknown' }]);
  const { demote_previous, min_improvement } = given.promotion_policy ?? {};
  const mode = given.promotion_policy?.mode ?? DEFAULTS.policy.mode;
  const isAccepted = given.accept_non_commercial ?? false;
  // Without a promotion nothing is deployed
  const isFree = isAccepted || mode === 'off';
  const kept = before?.horizon === horizon ? before : null;
  const pool = kept?.entries ?? (await poolIn(deps, workspace, given, isFree));
  if (kept && isFreeIn(kept)) await mindPoolLicences(deps, pool, isFree);
  const { training_schedule: schedule = null } = given;
  return {
    name: given.name ?? segmentName,
    segmentId: segment,
    ...{ entries: pool, horizon, metric },
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

async function poolIn(
  deps: Deps,
  workspace: string,
  { models, forecast_horizon: horizon = null }: Given,
  isFree: boolean,
): Promise<readonly PoolEntry[]> {
  const entries = await Promise.all(models.map((entry, i) => entryIn(deps, workspace, entry, i, horizon)));
  const pool = withoutDoubles(entries);
  if (pool.length > 1 && pool.some(({ kind }) => kind === 'byom'))
    throw wrongEntry(
      entries.findIndex(({ kind }) => kind === 'byom'),
      'model',
      ALONE,
    );
  await mindPoolLicences(deps, entries, isFree);
  return pool;
}

/** 0 is no cap. */
const capIn = (cap: number | null): number | null => (cap === 0 ? null : cap);

const ALONE = 'an uploaded model does not take part in training: it stands alone in a pipeline';

const wrongEntry = (i: number, field: string, msg: string): Rejected =>
  notValid([{ loc: ['body', 'models', i, field], msg, type: 'value_error' }]);

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

async function entryIn(
  { resolve }: Deps,
  workspace: string,
  given: GivenEntry,
  i: number,
  horizon: number | null,
): Promise<PoolEntry> {
  if (given.forecast_horizon !== undefined)
    throw wrongEntry(i, 'forecast_horizon', 'is said for the whole pipeline, not for an entry');
  const ref = refIn(given, i);
  const wanted = wantedOf(
    { ref, intensity: given.intensity ?? null, lookback: given.lookback ?? null },
    horizon,
  );
  return poolEntry(ref, await resolvedAt(i, () => resolve(workspace, wanted)));
}

/** What is refused says of which entry. */
async function resolvedAt(i: number, find: () => Promise<Resolved>): Promise<Resolved> {
  try {
    return await find();
  } catch (error) {
    if (!(error instanceof Rejected) || 'detail' in error.details) throw error;
    const { kind, code, message, details } = error;
    throw new Rejected(kind, code, `models[${i}]: ${message}`, { ...details, index: i });
  }
}

function refIn({ model, family, slug }: GivenEntry, i: number): EntryRef {
  if (model !== undefined && (family !== undefined || slug !== undefined))
    throw wrongEntry(i, 'model', 'does not go with family and slug');
  if (model !== undefined) return { model };
  if (family === undefined) throw wrongEntry(i, 'model', 'is required, or family and slug');
  if (slug === undefined) throw wrongEntry(i, 'slug', 'is required with family');
  return { family, slug };
}

const poolEntry = (ref: EntryRef, { what, blueprint, intensity, lookback }: Resolved): PoolEntry => {
  const model = what.kind === 'foundation' ? what.fineTune.model : null;
  return {
    ...{ ref, kind: what.kind, modelId: blueprint.uid, name: blueprint.name, intensity, lookback },
    family: model?.family ?? null,
    slug: model?.slug ?? null,
  };
};
