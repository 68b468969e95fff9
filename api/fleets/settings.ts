import { SEPARATOR } from '../../domain/maths/series/units.js';
import {
  ENTITY,
  MOST_GOALS,
  TOTAL,
  type Entities,
  type FleetSettings,
} from '../../domain/fleets/settings.js';
import type { Template } from '../../domain/fleets/settings.js';
import type { FromSchema } from '../../json-schema.js';
import { setOr } from '../edge/clearing.js';
import { notValid } from '../edge/errors.js';
import { givenOf, patched, settingsIn, type Given } from '../goals/settings.js';
import type { FleetDeps } from './deps.js';
import type { createBody, patchBody } from './schemas.js';

type Body = FromSchema<typeof createBody>;
type Patch = FromSchema<typeof patchBody>;
type Deps = Pick<FleetDeps, 'hasSegment' | 'hasPipeline'>;
type Levels = NonNullable<NonNullable<Body['reconciliation']>['levels']>;

const wrong = (field: readonly (string | number)[], msg: string, type = 'invalid') =>
  notValid([{ loc: ['body', ...field], msg, type }]);

/** The settings that a body means. @throws Rejected 422 that names the field */
export async function settingsOf(deps: Deps, workspace: string, body: Body): Promise<FleetSettings> {
  if (body.base_key.includes(SEPARATOR))
    throw wrong(['base_key'], `must not hold '${SEPARATOR}', which stands between a base and an entity`);
  const template = await templateIn(deps, workspace, body.template, body.skip_discovery ?? false);
  return {
    ...{ name: body.name, baseKey: body.base_key, entities: (body.entities ?? 'all') as Entities },
    template,
    reconciliation: reconciliationIn(body.reconciliation, UNRECONCILED),
    sharedPipeline: sharedIn(body.shared_pipeline, template),
    ...{ maxGoals: body.max_goals ?? MOST_GOALS, autoSync: body.auto_sync ?? false },
  };
}

/** What a PATCH makes of settings: of the template member by member; null clears. @throws Rejected 422 */
export async function settingsAfter(
  deps: Deps,
  workspace: string,
  before: FleetSettings,
  patch: Patch,
): Promise<FleetSettings> {
  const skips = setOr(before.template.skipsDiscovery, patch.skip_discovery, false);
  const template = patch.template
    ? await templateIn(deps, workspace, templateAfter(before.template, patch.template), skips)
    : { ...before.template, skipsDiscovery: skips };
  return {
    ...before,
    ...{ name: patch.name ?? before.name, template },
    entities: setOr(before.entities, patch.entities as Entities | null | undefined, 'all'),
    reconciliation: reconciliationIn(patch.reconciliation, before.reconciliation),
    sharedPipeline: sharedIn(patch.shared_pipeline, template),
    maxGoals: setOr(before.maxGoals, patch.max_goals, MOST_GOALS),
    autoSync: setOr(before.autoSync, patch.auto_sync, false),
  };
}

const templateAfter = (before: Template, { name, ...patch }: NonNullable<Patch['template']>) => ({
  ...patched(wholeOf(before), patch),
  name: setOr(before.name, name, null),
});

/** What stands for a target that each goal has for itself. */
const NONE = '-';

async function templateIn(
  { hasSegment, hasPipeline }: Deps,
  workspace: string,
  given: Omit<Given, 'name' | 'target'> & { readonly name?: string | null },
  skipsDiscovery: boolean,
): Promise<Template> {
  const target = async () => ({ points: 0, stepS: async () => 1 });
  const whole = { ...given, name: NONE, target: NONE };
  const within = ['body', 'template'];
  const settings = await settingsIn({ hasSegment, hasPipeline, target }, workspace, whole, null, within);
  const { name: _, target: __, ...rest } = settings;
  return {
    ...rest,
    ...{ name: given.name ?? null, stepS: given.step_s ?? null, cadenceS: given.cadence_s ?? null },
    skipsDiscovery,
  };
}

function wholeOf({ skipsDiscovery: _, name, ...template }: Template): Given {
  const { stepS, cadenceS } = template;
  const whole = { ...template, name: NONE, target: NONE, stepS: stepS ?? 1, cadenceS: cadenceS ?? 1 };
  const { name: __, step_s, cadence_s, ...given } = givenOf(whole);
  return {
    ...given,
    ...(name !== null && { name }),
    ...(stepS !== null && { step_s }),
    ...(cadenceS !== null && { cadence_s }),
  } as Given;
}

/** A template as it is given. */
export function templateView(template: Template) {
  const { target: _, name = null, step_s = null, cadence_s = null, ...given } = wholeOf(template);
  return { name, ...given, step_s, cadence_s };
}

function sharedIn(given: boolean | null | undefined, { pipelineId }: Template): boolean {
  const isThere = pipelineId !== null;
  if ((given ?? isThere) === isThere) return isThere;
  const msg = isThere
    ? 'must not be false where the template names a pipeline'
    : 'needs a pipeline_id in the template';
  throw wrong(['shared_pipeline'], msg);
}

const UNRECONCILED: FleetSettings['reconciliation'] = { method: 'none', levels: [] };

function reconciliationIn(
  given: Body['reconciliation'],
  before: FleetSettings['reconciliation'],
): FleetSettings['reconciliation'] {
  const { method, levels } = given === null ? { method: null, levels: null } : (given ?? {});
  return {
    method: setOr(before.method, method, UNRECONCILED.method),
    levels: setOr(before.levels, levels && levelsIn(levels), UNRECONCILED.levels),
  };
}

function levelsIn(levels: Levels): FleetSettings['reconciliation']['levels'] {
  const names = [TOTAL, ENTITY];
  return levels.map(({ name, group_by: groupBy }, i) => {
    if (names.includes(name))
      throw wrong(['reconciliation', 'levels', i, 'name'], 'is the name of another level');
    names.push(name);
    return { name, groupBy: groupBy as never };
  });
}
