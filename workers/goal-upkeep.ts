import type { Context } from '../commands/engine/handle.js';
import type { OfGoal } from '../commands/goals/records.js';
import type { Log } from '../commands/ports/log.js';
import { dueOf, hasDrifted, type Record } from '../domain/goals/drift.js';
import type { Automatic, GoalOptions } from '../domain/goals/settings.js';
import { Rejected } from '../domain/rejected.js';
import { HOUR } from '../domain/time.js';
import { nextContest, type GoalDoc } from '../projections/goals/documents.js';
import type { GoalQueries } from '../projections/goals/queries.js';
import type { Running } from './engine/follow.js';
import { rounds } from './engine/rounds.js';

export type UpkeepTrigger = 'schedule' | 'drift';
/** Something of a goal that begins by itself. */
export type Upkeep = {
  readonly automatic: (options: GoalOptions) => Automatic;
  /** When it began last, epoch ms; null: never, but for the activation. */
  readonly last: (doc: GoalDoc) => number | null;
  /** After a drift it begins no sooner again, ms. */
  readonly rest: number;
  /** It finds a goal its champion: one without begins it soon, and ever later where there is none. */
  readonly leads: boolean;
  /** @throws Rejected where it cannot begin now */
  readonly begin: (of: OfGoal, trigger: UpkeepTrigger, context: Context) => Promise<unknown>;
};
type Deps = {
  readonly upkeep: readonly Upkeep[];
  readonly queries: Pick<GoalQueries, 'active'>;
  readonly recordOf: (doc: GoalDoc) => Promise<Record>;
  /** What an archived workspace has rests. */
  readonly isArchived: (workspace: string) => boolean | Promise<boolean>;
  readonly clock: () => number;
  readonly newId: () => string;
  readonly log: Log;
};

const EVERY_MS = 5_000;
/** A record is read, and what could not begin is tried, no sooner again: by the platform's clock. */
const LOOKED_EVERY = HOUR;

/** Has goals looked through again, and models compete for them again, as their options say. */
export function goalUpkeep({ upkeep, queries, recordOf, isArchived, clock, newId, log }: Deps): Running {
  const looked = new Map<string, number>();
  const begin = async (
    { workspace, goal_id: goalId }: GoalDoc,
    { begin: give }: Upkeep,
    trigger: UpkeepTrigger,
  ) => {
    const context = {
      ...{ workspace, actor: 'scheduler:goal-upkeep', request: null, correlation: newId() },
      ...{ causation: null, at: clock() },
    };
    await give({ workspace, goalId }, trigger, context).catch((error: unknown) => {
      // One runs already, or it is no longer active
      if (!(error instanceof Rejected) || error.kind !== 'conflict') throw error;
    });
  };
  const dueNow = (doc: GoalDoc, { automatic, last, rest, leads }: Upkeep, now: number) => {
    const { settings, activatedAt } = doc.state;
    const wanted = automatic(settings.options);
    const since = last(doc) ?? activatedAt ?? doc.created_at;
    const next = leads ? nextContest(doc) : null;
    if (next !== null) return next <= now ? 'schedule' : 'no';
    return dueOf(wanted, settings, { last: since, now, rest });
  };
  const look = async (doc: GoalDoc): Promise<void> => {
    const now = clock();
    const due = upkeep
      .map(each => [each, dueNow(doc, each, now)] as const)
      .filter(([, when]) => when !== 'no');
    if (due.length === 0 || now - (looked.get(doc._id) ?? -Infinity) < LOOKED_EVERY) return;
    looked.set(doc._id, now);
    if (await isArchived(doc.workspace)) return;
    const drifted = due.some(([, when]) => when === 'look') && hasDrifted(await recordOf(doc));
    for (const [each, when] of due)
      if (when === 'schedule') await begin(doc, each, 'schedule');
      else if (drifted) await begin(doc, each, 'drift');
  };
  return rounds(EVERY_MS, log, 'goals could not be looked after; tried again', async goesOn => {
    const there = new Set<string>();
    for await (const page of queries.active())
      for (const doc of page) {
        if (!goesOn()) return;
        there.add(doc._id);
        await look(doc).catch((err: unknown) =>
          log.error({ err, goal: doc.goal_id }, 'a goal could not be looked after; tried again'),
        );
      }
    for (const id of looked.keys()) if (!there.has(id)) looked.delete(id);
  });
}
