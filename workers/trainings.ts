import type { Context } from '../commands/engine/handle.js';
import type { Log } from '../commands/ports/log.js';
import { doTraining, type DoingDeps, type SegmentFound } from '../commands/trainings/doing.js';
import type { TrainingCommands } from '../commands/trainings/records.js';
import { LOST_MS } from '../domain/trainings/decider.js';
import { AT_WORK } from '../domain/trainings/state.js';
import type { TrainingQueries, WaitingTraining } from '../projections/trainings/queries.js';
import type { Running } from './engine/follow.js';
import { rounds } from './engine/rounds.js';

type Deps = DoingDeps & {
  readonly commands: Pick<TrainingCommands, 'lose'>;
  readonly queries: Pick<TrainingQueries, 'waitingBehind' | 'working' | 'training'>;
  readonly segment: (workspace: string, segmentId: string) => Promise<SegmentFound | null>;
  readonly newId: () => string;
  readonly visible: (position: number | null) => Promise<unknown>;
  /** So many at once in this process. */
  readonly atOnce: number;
  /** No other process trains on these stores: what nobody does here is done by nobody. */
  readonly alone: boolean;
  readonly log: Log;
};
type Doing = { readonly doc: WaitingTraining; readonly ending: AbortController };

const EVERY_MS = 250;
/** Trainings whose tables are being built, or that failed at the stores, are looked at again after this. */
const REST_MS = 1_000;

/**
 * Does trainings that wait, workspaces in turn, beside all other processes that do so: a claim is an append
 * that one of them wins. What is called off ends; what a lost process had waits again.
 */
export function trainingWork(deps: Deps): Running {
  const { queries, segment, log, atOnce } = deps;
  const doing = new Map<string, Doing>();
  const underWay = new Set<Promise<void>>();
  /** Until when (`performance.now`) one that cannot be begun rests. */
  const resting = new Map<string, number>();
  /** The workspace whose turn it was last. */
  let turn = '';
  /** Where all that wait cannot be begun they are looked through again from then on (`performance.now`). */
  let quietUntil = 0;

  const begin = (doc: WaitingTraining): void => {
    const ending = new AbortController();
    doing.set(doc._id, { doc, ending });
    const of = { workspace: doc.workspace, trainingId: doc.training_id };
    const work = doTraining(deps, of, contextOf(doc.workspace, deps), ending.signal)
      .then(deps.visible)
      .catch((err: unknown) => {
        resting.set(doc._id, performance.now() + REST_MS);
        log.error({ err, training: doc.training_id }, 'a training could not be done; begun again');
      })
      .finally(() => {
        doing.delete(doc._id);
        underWay.delete(tracked);
      });
    const tracked: Promise<void> = work.then(() => undefined);
    underWay.add(tracked);
  };

  const endUnwanted = async (): Promise<void> => {
    for (const { doc, ending } of doing.values()) {
      const now = await queries.training(doc.workspace, doc.training_id);
      if (now && now.status !== 'queued' && !AT_WORK.includes(now.status)) ending.abort();
    }
  };

  /** The first of the next workspace whose turn it is; null: there is nothing to begin just now. */
  const next = async (): Promise<WaitingTraining | null> => {
    const before = turn;
    const isBuilding = buildingNow(segment);
    let isAnyLeft = false;
    for (let isRound = false; ; ) {
      let workspace = '';
      for await (const page of queries.waitingBehind(turn))
        for (const doc of page) {
          ({ workspace } = doc);
          if (doing.has(doc._id)) continue;
          if (!resting.has(doc._id) && !(await isBuilding(doc))) {
            turn = workspace;
            return doc;
          }
          isAnyLeft = true;
        }
      turn = workspace;
      if (isRound && (turn === '' || turn >= before)) {
        if (isAnyLeft) quietUntil = performance.now() + REST_MS;
        return null;
      }
      isRound ||= turn === '';
    }
  };

  const looking = rounds(EVERY_MS, log, 'trainings could not be looked for; tried again', async goesOn => {
    await endUnwanted();
    await findLost(deps, doing);
    for (const [id, until] of resting) if (until <= performance.now()) resting.delete(id);
    while (goesOn() && doing.size < atOnce && performance.now() >= quietUntil) {
      const doc = await next();
      if (!doc) return;
      begin(doc);
    }
  });
  return {
    async stop() {
      await looking.stop();
      for (const { ending } of doing.values()) ending.abort('its process was stopped');
      await Promise.all(underWay);
    },
  };
}

/** Whether the table of a training is being built, asked once for each segment. */
function buildingNow(segment: Deps['segment']) {
  const known = new Map<string, boolean>();
  return async ({ workspace, segment_id }: WaitingTraining): Promise<boolean> => {
    const name = `${workspace} ${segment_id}`;
    const isBuilding = known.get(name) ?? (await segment(workspace, segment_id))?.status === 'building';
    known.set(name, isBuilding);
    return isBuilding;
  };
}

/** What a process had that is gone waits again. */
async function findLost(deps: Deps, doing: ReadonlyMap<string, Doing>): Promise<void> {
  const { queries, commands, alone, clock, visible } = deps;
  for (const { _id, workspace, training_id: trainingId, attempt, sign_at } of await queries.working()) {
    if (doing.has(_id)) continue;
    const at = clock();
    if (!alone && at - sign_at < LOST_MS) continue;
    const reason = 'its process is gone';
    const data = { workspace, trainingId, attempt, reason, isLoss: true, at: alone ? null : at };
    await visible((await commands.lose(data, contextOf(workspace, deps))).position);
  }
}

const contextOf = (workspace: string, { newId, clock }: Deps): Context => ({
  ...{ workspace, actor: 'scheduler:trainings', request: null, correlation: newId(), causation: null },
  at: clock(),
});
