import { setTimeout as pause } from 'node:timers/promises';
import type { Context } from '../commands/engine/handle.js';
import type { Issued, Issuing } from '../commands/forecasts/issuing.js';
import type { Wanted } from '../commands/forecasts/put-together.js';
import { forecastOnce, type ForecastRecords } from '../commands/forecasts/records.js';
import type { GoalCommands } from '../commands/goals/records.js';
import type { Log } from '../commands/ports/log.js';
import { beatAt, beatsBetween } from '../domain/forecasts/cadence.js';
import { Rejected } from '../domain/rejected.js';
import { SECOND } from '../domain/time.js';
import type { RecordDoc } from '../projections/forecasts/documents.js';
import type { ForecastQueries } from '../projections/forecasts/queries.js';
import type { Running } from './engine/follow.js';
import { rounds } from './engine/rounds.js';

type Deps = {
  readonly queries: Pick<ForecastQueries, 'due'>;
  readonly records: Pick<ForecastRecords, 'miss'>;
  readonly issuing: Pick<Issuing, 'issue'>;
  readonly goals: Pick<GoalCommands, 'state' | 'health'>;
  /** What an archived workspace has rests. */
  readonly isArchived: (workspace: string) => boolean | Promise<boolean>;
  readonly clock: () => number;
  readonly newId: () => string;
  readonly visible: (position: number | null) => Promise<unknown>;
  readonly log: Log;
};
type Due = { readonly doc: RecordDoc; readonly beat: number };

const EVERY_MS = 250;
/** Goals of a workspace that are forecast in one go. */
const AT_ONCE = 64;
/** After each such go others have the platform for so many times as long as it took, less once it is late. */
const LEFT = { onTime: 2.5, late: 0.5 };
const LATE_AFTER_MS = 30 * SECOND;
/** What is forecast often is late sooner, after this share of its cadence. */
const LATE_SHARE = 1 / 4;
const MOST_LEFT_MS = 4 * SECOND;
/** What could not be made just now is tried again after a while. */
const REST_MS = 2 * SECOND;

/**
 * Forecasts goals at the beats of their cadence, each beat once: its id follows from goal and beat. Whoever
 * is late makes the newest beat that is due and says which others it passed. It remembers nothing that
 * matters.
 */
export function goalForecastScheduler(deps: Deps): Running {
  const { queries, records, issuing, goals, clock, newId, log } = deps;
  const resting = new Map<string, number>();
  const ending = new AbortController();
  const contextOf = (workspace: string): Context => ({
    ...{ workspace, actor: 'scheduler:goal-forecasts', request: null, correlation: newId() },
    ...{ causation: null, at: clock() },
  });

  /** Beats that were passed while the goal was active. */
  const miss = async ({ doc, beat }: Due, context: Context): Promise<number | null> => {
    const { workspace, goal_id: goalId, handled, owed, settings } = doc;
    const passed = owed ? owed.passed : beatsBetween(settings, handled!, beat);
    if (!passed) return null;
    const missed = {
      ...{ goalId, dueAt: passed.first, lastDueAt: passed.last, beats: passed.count },
      ...{ code: 'late', message: 'The platform was stopped or behind when it was due' },
    };
    const id = forecastOnce(workspace, goalId, `${passed.first}`);
    return (await records.miss(workspace, id, missed, context)).position;
  };

  /** None can be made of this beat, and trying again would not help. */
  const giveUp = async ({ doc, beat }: Due, error: unknown, context: Context): Promise<number | null> => {
    const { workspace, goal_id: goalId } = doc;
    const { code, message } = reasonOf(error);
    const missed = { goalId, dueAt: beat, lastDueAt: beat, beats: 1, code, message };
    const id = forecastOnce(workspace, goalId, `${beat}`);
    await goals.health({ workspace, goalId }, { add: ['forecast_missed'] }, context);
    return (await records.miss(workspace, id, missed, context)).position;
  };

  const settle = async (due: Due, issued: Issued, context: Context): Promise<number | null> => {
    if (issued.status === 'issued') return issued.position;
    if (issued.status === 'idle') return null;
    const { error } = issued;
    if (!(error instanceof Rejected) || error.kind === 'unavailable') {
      log.error({ err: error, goal: due.doc.goal_id }, 'a goal could not be forecast; tried again');
      return null;
    }
    return giveUp(due, error, context);
  };

  const work = async (workspace: string, dues: readonly Due[]): Promise<void> => {
    for (const { doc } of dues) resting.set(doc._id, performance.now() + REST_MS);
    if (await deps.isArchived(workspace)) return;
    const context = contextOf(workspace);
    const active: Due[] = [];
    let last: number | null = null;
    for (const due of dues) {
      const goal = await goals.state({ workspace, goalId: due.doc.goal_id });
      if (goal.status !== 'active') continue;
      last = (await miss(due, context)) ?? last;
      active.push(due);
    }
    const issued = await issuing.issue(workspace, active.map(wantedOf), context, ending.signal);
    for (const [i, one] of issued.entries()) last = (await settle(active[i]!, one, context)) ?? last;
    await deps.visible(last);
    issued.forEach((one, i) => {
      if (one.status === 'issued') resting.delete(active[i]!.doc._id);
    });
  };

  const others = async (ms: number, dues: readonly Due[]): Promise<void> => {
    const now = clock();
    const left = ms * (dues.some(due => isLate(due, now)) ? LEFT.late : LEFT.onTime);
    await pause(Math.min(left, MOST_LEFT_MS), undefined, { signal: ending.signal }).catch(() => undefined);
  };

  const looking = rounds(EVERY_MS, log, 'goals could not be looked for; tried again', async goesOn => {
    const now = clock();
    for (const [id, until] of resting) if (until <= performance.now()) resting.delete(id);
    for await (const page of queries.due(now)) {
      const ready = page.filter(({ _id }) => !resting.has(_id));
      for (const [workspace, docs] of byWorkspace(ready))
        for (let from = 0; from < docs.length && goesOn(); from += AT_ONCE) {
          const began = performance.now();
          const dues = docs
            .slice(from, from + AT_ONCE)
            .map(doc => ({ doc, beat: doc.owed?.beat ?? beatAt(doc.settings, now) }));
          await work(workspace, dues).catch((err: unknown) => {
            if (goesOn()) log.error({ err, workspace }, 'goals could not be forecast; tried again');
          });
          await others(performance.now() - began, dues);
        }
    }
  });
  return {
    async stop() {
      ending.abort();
      await looking.stop();
    },
  };
}

/** Its beat was a while ago, or the one before it was passed. */
function isLate({ doc: { handled, settings }, beat }: Due, now: number): boolean {
  const cadence = settings.cadenceS * SECOND;
  return (
    now - beat >= Math.min(LATE_AFTER_MS, cadence * LATE_SHARE)
    || beatsBetween(settings, handled ?? beat, beat) !== null
  );
}

const wantedOf = ({ doc: { workspace, goal_id: goalId }, beat }: Due): Wanted => ({
  ...{ goalId, forecastId: forecastOnce(workspace, goalId, `${beat}`), trigger: 'cadence', dueAt: beat },
});

function byWorkspace(docs: readonly RecordDoc[]): Map<string, RecordDoc[]> {
  const groups = new Map<string, RecordDoc[]>();
  for (const doc of docs) groups.set(doc.workspace, [...(groups.get(doc.workspace) ?? []), doc]);
  return groups;
}

const reasonOf = (error: unknown): { readonly code: string; readonly message: string } =>
  error instanceof Rejected
    ? { code: error.code, message: error.message }
    : { code: 'internal_error', message: 'Internal error' };
