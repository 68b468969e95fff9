import { keyOf } from '../../domain/fleets/entities.js';
import type { Failed, Made } from '../../domain/fleets/facts.js';
import { goalOf } from '../../domain/fleets/planning.js';
import type { LiveFleet } from '../../domain/fleets/state.js';
import { LEAST_POINTS, tooShort } from '../../domain/goals/refusals.js';
import { Rejected } from '../../domain/rejected.js';
import type { Context } from '../engine/handle.js';
import type { GoalCommands } from '../goals/records.js';
import { goalIdOf, type FleetCommands, type OfFleet } from './records.js';

export type MakingDeps = {
  readonly commands: Pick<FleetCommands, 'note'>;
  readonly goals: Pick<GoalCommands, 'state' | 'create' | 'activate'>;
  /** Null: there is no such signal. `stepS`: its usual step, whole seconds; null: too few points say so. */
  readonly target: (
    workspace: string,
    key: string,
  ) => Promise<{ readonly points: number; readonly stepS: () => Promise<number | null> } | null>;
  /** `limit` null: as many as one likes. */
  readonly quota: (workspace: string) => Promise<{
    readonly limit: number | null;
    readonly used: number;
    readonly plan: string;
  }>;
};

/** Goals that are made between two looks at what the plan allows. */
const AT_ONCE = 25;

/**
 * Makes the next goals of a fleet, and activates them; the position of the last fact. What is done again
 * after a kill makes nothing twice: a goal's id follows from its entity.
 */
export async function makeSome(
  deps: MakingDeps,
  of: OfFleet,
  fleet: LiveFleet,
  context: Context,
): Promise<number | null> {
  const { limit, used, plan } = await deps.quota(of.workspace);
  let room = limit === null ? Infinity : limit - used;
  const made: Made[] = [];
  const failed: Failed[] = [];
  for (const entity of fleet.todo.slice(0, AT_ONCE)) {
    const goalId = goalIdOf(of, entity);
    try {
      const { status } = await deps.goals.state({ workspace: of.workspace, goalId });
      if (status === 'none') {
        if (room <= 0) throw noRoom(limit!, plan);
        await make(deps, of, fleet, { entity, goalId }, context);
        room--;
      }
      if (status === 'none' || status === 'draft') await begin(deps, of, fleet, goalId, context);
      made.push({ entity, goalId });
    } catch (error) {
      if (!(error instanceof Rejected) || error.kind === 'unavailable') throw error;
      failed.push({ entity, code: error.code, message: error.message });
    }
  }
  return (await deps.commands.note(of, { made, failed }, context)).position;
}

async function make(
  { goals, target }: MakingDeps,
  { workspace, fleetId }: OfFleet,
  { settings, owner }: LiveFleet,
  { entity, goalId }: Made,
  context: Context,
): Promise<void> {
  const key = keyOf(settings.baseKey, entity);
  const found = await target(workspace, key);
  if (!found) throw new Rejected('missing', 'not_found', `There is no signal '${key}'`);
  if (found.points < LEAST_POINTS) throw tooShort(key, found.points);
  const stepS = settings.template.stepS ?? (await found.stepS());
  if (stepS === null)
    throw new Rejected('unprocessable', 'step_unknown', `The points of '${key}' do not say what its step is`);
  const said = { settings: goalOf(settings, entity, stepS), owner, fleetId };
  await goals.create(workspace, said, context, goalId);
}

async function begin(
  { goals }: MakingDeps,
  { workspace }: OfFleet,
  { settings }: LiveFleet,
  goalId: string,
  context: Context,
): Promise<void> {
  const { skipsDiscovery } = settings.template;
  await goals.activate({ workspace, goalId }, { skipsDiscovery }, context);
}

const noRoom = (limit: number, plan: string): Rejected =>
  new Rejected('forbidden', 'plan_limit_reached', `The plan ${plan} allows ${limit} goals`);
