import type { Context } from '../commands/engine/handle.js';
import { makeSome, type MakingDeps } from '../commands/fleets/making.js';
import type { FleetCommands, OfFleet } from '../commands/fleets/records.js';
import type { GoalCommands } from '../commands/goals/records.js';
import type { Log } from '../commands/ports/log.js';
import { hasNew, planOf, type Entity } from '../domain/fleets/planning.js';
import { isLive, type FleetWork } from '../domain/fleets/state.js';
import type { GoalStatus } from '../domain/goals/state.js';
import { Rejected } from '../domain/rejected.js';
import type { FleetDoc } from '../projections/fleets/documents.js';
import type { FleetQueries } from '../projections/fleets/queries.js';
import type { GoalDoc } from '../projections/goals/documents.js';
import type { GoalQueries } from '../projections/goals/queries.js';
import type { Running } from './engine/follow.js';
import { rounds } from './engine/rounds.js';

type Deps = MakingDeps & {
  readonly queries: Pick<FleetQueries, 'atWork' | 'looking'>;
  readonly commands: Pick<FleetCommands, 'state' | 'plan' | 'note' | 'settle' | 'sync'>;
  readonly goals: Pick<
    GoalCommands,
    'state' | 'create' | 'activate' | 'restWithFleet' | 'resume' | 'archive'
  >;
  readonly ofFleet: GoalQueries['ofFleet'];
  /** The entities of a base that there are. */
  readonly entities: (workspace: string, base: string) => Promise<readonly Entity[]>;
  /** What an archived workspace has rests. */
  readonly isArchived: (workspace: string) => boolean | Promise<boolean>;
  readonly clock: () => number;
  readonly newId: () => string;
  /** Until the read models of fleets and goals hold a position. */
  readonly visible: (position: number | null) => Promise<unknown>;
  /** Whether read models of goals hold all that was written up to now. */
  readonly upToDate: () => Promise<boolean>;
  readonly log: Log;
};

const EVERY_MS = 250;
/** What waits for goals, or failed at the stores, is looked at again after this. */
const REST_MS = 2_000;
/** Entities that are new are looked for so often. */
const LOOK_MS = 5_000;

/** Makes the goals of fleets, has them rest, go on and be put away, fleets in turn, some goals at a time. */
export function fleetWork(deps: Deps): Running {
  const { queries, commands, clock, newId, log } = deps;
  /** Until when (`performance.now`) one rests. */
  const resting = new Map<string, number>();
  const contextOf = (workspace: string): Context => ({
    ...{ workspace, actor: 'scheduler:fleets', request: null, correlation: newId(), causation: null },
    at: clock(),
  });

  /** Whether there is more to do at once. */
  const work = async ({ _id, workspace, fleet_id: fleetId }: FleetDoc): Promise<boolean> => {
    const of = { workspace, fleetId };
    const state = await commands.state(of);
    if (!isLive(state) || state.work === null || (await deps.isArchived(workspace))) {
      resting.set(_id, performance.now() + REST_MS);
      return false;
    }
    const context = contextOf(workspace);
    if (state.work === 'plan') {
      const plan = planOf(state, await deps.entities(workspace, state.settings.baseKey));
      await deps.visible((await commands.plan(of, plan, context)).position);
      return true;
    }
    if (state.work === 'make') {
      await deps.visible(await makeSome(deps, of, state, context));
      return true;
    }
    if (!(await moved(deps, of, state.work, context))) {
      resting.set(_id, performance.now() + REST_MS);
      return false;
    }
    await deps.visible((await commands.settle(of, { work: state.work }, context)).position);
    return true;
  };

  const round = async (goesOn: () => boolean): Promise<boolean> => {
    let isMore = false;
    for await (const page of queries.atWork())
      for (const doc of page) {
        if (!goesOn()) return false;
        if ((resting.get(doc._id) ?? -Infinity) > performance.now()) continue;
        resting.delete(doc._id);
        isMore =
          (await work(doc).catch((err: unknown) => {
            resting.set(doc._id, performance.now() + REST_MS);
            log.error({ err, fleet: doc.fleet_id }, 'a fleet could not be worked on; gone on with');
            return false;
          })) || isMore;
      }
    return isMore;
  };

  const look = async ({ workspace, fleet_id: fleetId, state }: FleetDoc): Promise<void> => {
    if (await deps.isArchived(workspace)) return;
    if (!hasNew(state, await deps.entities(workspace, state.settings.baseKey))) return;
    const { position } = await commands.sync({ workspace, fleetId }, { by: 'auto' }, contextOf(workspace));
    await deps.visible(position);
  };

  const working = rounds(EVERY_MS, log, 'fleets could not be looked for; tried again', async goesOn => {
    while (await round(goesOn));
  });
  const looking = rounds(LOOK_MS, log, 'new entities could not be looked for; tried again', async goesOn => {
    for await (const page of queries.looking())
      for (const doc of page)
        if (goesOn())
          await look(doc).catch((err: unknown) =>
            log.error({ err, fleet: doc.fleet_id }, 'new entities could not be looked for; tried again'),
          );
  });
  return {
    async stop() {
      await Promise.all([working.stop(), looking.stop()]);
    },
  };
}

type Moving = Exclude<FleetWork, 'plan' | 'make'>;
/** Which goals each moves: others are so already, or a person has put them where they are. */
const FROM: Readonly<Record<Moving, (doc: GoalDoc) => boolean>> = {
  pause: ({ status }) => status === 'active',
  resume: ({ status, state }) => status === 'paused' && state.pausedByFleet === true,
  archive: ({ status }) => status === 'active' || status === 'paused' || status === 'draft',
};
const BY = { pause: 'restWithFleet', resume: 'resume', archive: 'archive' } as const;
/** These must come to an end first. */
const ON_THE_WAY: readonly GoalStatus[] = ['discovering', 'competing'];

/** Moves what can be moved now; whether all are where they should be. */
async function moved(deps: Deps, of: OfFleet, move: Moving, context: Context): Promise<boolean> {
  const { workspace, fleetId } = of;
  let isAll = await deps.upToDate();
  let last: number | null = null;
  for await (const page of deps.ofFleet(workspace, fleetId))
    for (const doc of page) {
      if (move !== 'resume' && ON_THE_WAY.includes(doc.status)) isAll = false;
      if (!FROM[move](doc)) continue;
      try {
        const { position } = await deps.goals[BY[move]]({ workspace, goalId: doc.goal_id }, context);
        last = position ?? last;
      } catch (error) {
        // It moved on meanwhile: the next look sees where it is
        if (!(error instanceof Rejected) || error.kind === 'unavailable') throw error;
        isAll = false;
      }
    }
  await deps.visible(last);
  return isAll;
}
