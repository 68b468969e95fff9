import { wantedOf } from '../../commands/pipelines/cycles.js';
import type { Resolved } from '../../commands/trainings/resolving.js';
import { withoutDoubles, type EntryRef, type PoolEntry } from '../../domain/pipelines/settings.js';
import { Rejected } from '../../domain/rejected.js';
import type { FromSchema } from '../../json-schema.js';
import { notValid } from '../edge/errors.js';
import type { PipelineDeps } from './deps.js';
import { mindPoolLicences } from './licences.js';
import type { settingsBody } from './schemas.js';

type Given = Pick<FromSchema<typeof settingsBody>, 'models' | 'forecast_horizon'>;
type GivenEntry = Given['models'][number];
type Deps = Pick<PipelineDeps, 'resolve' | 'hosted'>;

/**
 * The pool that a body means, doubles left out. `ofSegment`: the horizon of the segment's split; `isFree`:
 * licences forbid nothing of what comes of it.
 * @throws Rejected 422, 404, 400, 403 that say of which entry
 */
export async function poolIn(
  deps: Deps,
  workspace: string,
  { models, forecast_horizon: given = null }: Given,
  ofSegment: number,
  isFree: boolean,
): Promise<readonly PoolEntry[]> {
  const horizon = { given, ofSegment };
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

const ALONE = 'an uploaded model does not take part in training: it stands alone in a pipeline';

const wrongEntry = (i: number, field: string, msg: string): Rejected =>
  notValid([{ loc: ['body', 'models', i, field], msg, type: 'value_error' }]);

async function entryIn(
  { resolve }: Deps,
  workspace: string,
  given: GivenEntry,
  i: number,
  horizon: Horizon,
): Promise<PoolEntry> {
  if (given.forecast_horizon !== undefined)
    throw wrongEntry(i, 'forecast_horizon', 'is said for the whole pipeline, not for an entry');
  const ref = refIn(given, i);
  const wanted = wantedOf(
    { ref, intensity: given.intensity ?? null, lookback: given.lookback ?? null },
    horizon.given,
  );
  return poolEntry(
    ref,
    await resolvedAt(i, async () => {
      const found = await resolve(workspace, wanted);
      // An uploaded model gives so many steps and no more, whoever says how many
      if (found.what.kind === 'byom')
        await resolve(workspace, { ...wanted, horizon: horizon.given ?? horizon.ofSegment });
      return found;
    }),
  );
}

/** Steps: of the pipeline, where it says so, and of its segment's split. */
type Horizon = { readonly given: number | null; readonly ofSegment: number };

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
