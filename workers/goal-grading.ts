import { byDay, cameSince } from '../commands/forecasts/grading.js';
import type { ForecastRecords } from '../commands/forecasts/records.js';
import type { SignalReads } from '../commands/inference/histories.js';
import type { Context } from '../commands/engine/handle.js';
import { turns } from '../commands/engine/turns.js';
import type { Fact } from '../domain/fact.js';
import type { GoalForecastIssued } from '../domain/forecasts/facts.js';
import { MOST_STEPS_AHEAD } from '../domain/goals/settings.js';
import { unpacked } from '../domain/signals/points.js';
import type { PointsRecorded, PointsRevised } from '../domain/signals/facts.js';
import { DAY, SECOND } from '../domain/time.js';
import { sourceIn, type RecordDoc } from '../projections/forecasts/documents.js';
import type { ForecastQueries } from '../projections/forecasts/queries.js';
import { ReadModelsBehind } from './engine/failures.js';
import type { Reactor } from './engine/reactor.js';

type Deps = {
  readonly queries: Pick<ForecastQueries, 'awaiting' | 'readFrom' | 'sources'>;
  readonly records: Pick<ForecastRecords, 'known' | 'note'>;
  readonly reads: Pick<SignalReads, 'between' | 'find' | 'newest'>;
  /** Resolves true when the read models of signals and of forecasts hold the fact at a position. */
  readonly caughtUp: (position: number) => Promise<boolean>;
  /** This process alone grades as long as it runs: it may remember which signals are forecast. */
  readonly alone: boolean;
};

/** A step has at most 64 grades of some 110 bytes each: these are well below what an append may hold. */
const STEPS_AT_ONCE = 64;

/** Keeps what came where goals were forecast, and how each forecast did. */
export function goalGrading({ queries, records, reads, caughtUp, alone }: Deps): Reactor {
  const inTurn = turns<void>();
  const sources = new Set<string>();
  let loading: Promise<void> | null = null;
  const upToDate = async ({ position }: Fact): Promise<void> => {
    if (!(await caughtUp(position)))
      throw new ReadModelsBehind(`the read models do not hold ${position} yet`);
  };
  const load = async (fact: Fact): Promise<void> => {
    await upToDate(fact);
    for await (const page of queries.sources()) for (const source of page) sources.add(source);
  };
  /** Points of signals that nobody forecasts, which most are, cost nothing. */
  const isForecast = async (fact: Fact, source: string): Promise<boolean> => {
    if (!alone) return true;
    loading ??= load(fact).catch((error: unknown) => {
      loading = null;
      throw error;
    });
    await loading;
    return sources.has(source);
  };

  const grade = async (
    { workspace, goal_id: goalId, settings }: RecordDoc,
    place: { readonly workspace: string; readonly key: string },
    span: { readonly from: number; readonly to: number },
    context: Context,
  ): Promise<void> => {
    const longest = MOST_STEPS_AHEAD * settings.stepS * SECOND + DAY;
    const awaiting = (first: number, last: number) =>
      queries.awaiting(workspace, goalId, { first, last, longest });
    const came = await cameSince({ ...reads, awaiting }, place, settings, span, context.at);
    for (const [day, steps] of byDay(came)) {
      const known = await records.known(workspace, goalId, day);
      const open = steps.filter(({ time, actual }) => known.get(time) !== actual);
      for (let at = 0; at < open.length; at += STEPS_AT_ONCE)
        await records.note(workspace, day, { goalId, steps: open.slice(at, at + STEPS_AT_ONCE) }, context);
    }
  };

  const came = async (fact: Fact<PointsRecorded | PointsRevised>, context: Context): Promise<void> => {
    const place = { workspace: fact.meta.workspace!, key: fact.data.key };
    if (!(await isForecast(fact, sourceIn(place.workspace, place.key)))) return;
    await upToDate(fact);
    const { times } = unpacked(fact.data.points);
    const span = { from: times[0]!, to: times.at(-1)! };
    for (const doc of await queries.readFrom(place.workspace, place.key)) {
      // Its subscription may have ended, or it forecasts something else by now
      const target = (await reads.find(doc.workspace, doc.settings.target))?.place;
      if (target?.workspace !== place.workspace || target.key !== place.key) continue;
      await inTurn(doc._id, () => grade(doc, place, span, context));
    }
  };

  return {
    name: 'goal-grading',
    concurrency: 4,
    on: {
      PointsRecorded: came,
      PointsRevised: came,
      async GoalForecastIssued({ data: { read }, meta }: Fact<GoalForecastIssued>) {
        const { of, key } = read;
        sources.add(sourceIn(of?.workspace ?? meta.workspace!, of?.key ?? key));
      },
    },
  };
}
