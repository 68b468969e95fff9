import type { Context } from '../commands/engine/handle.js';
import type { Noting } from '../commands/revisions/noting.js';
import type { EventFact } from '../domain/events/facts.js';
import type { LiveEvent } from '../domain/events/state.js';
import type { Fact } from '../domain/fact.js';
import {
  isStale,
  lateOf,
  sourceOf,
  type Cause,
  type CauseKind,
  type Found,
} from '../domain/revisions/causes.js';
import type { PointsRecorded, PointsRevised } from '../domain/signals/facts.js';
import { lastTime, unpacked } from '../domain/signals/points.js';
import { ReadModelsBehind } from './engine/failures.js';
import type { Reactor } from './engine/reactor.js';
import { together } from './together.js';
import type { RevisionUses, UsingGoal } from './revision-uses.js';

type Deps = {
  readonly uses: RevisionUses;
  readonly note: Noting;
  /** The newest time of a signal before a fact of it, epoch ms; null: it had no points. */
  readonly newestBefore: (workspace: string, key: string, at: number) => Promise<number | null>;
  /** An event before a fact of it, as its facts tell it; null: there was none. */
  readonly eventBefore: (fact: Fact) => Promise<LiveEvent | null>;
  /** Resolves true when all read models that are asked hold the fact at a position. */
  readonly caughtUp: (position: number) => Promise<boolean>;
};
type Of<T extends EventFact['type']> = Fact<Extract<EventFact, { type: T }>>;
type Span = { readonly from: number; readonly to: number };
/** What a fact changes of a goal's past; null: nothing. */
type ChangesOf = (goal: UsingGoal) => Span | null;

export const HISTORY_REVISION = 'history-revision';
/** All facts of a page at once: causes of one workspace are told together. */
const CONCURRENCY = 256;

/** Has history revised where something came late, or was changed, that goals hang on. */
export function historyRevision({ uses, note, newestBefore, eventBefore, caughtUp }: Deps): Reactor {
  const noted = together((workspace: string, found: readonly Found[], context: Context) =>
    note(workspace, found, { ...context, workspace }),
  );
  const upToDate = async ({ position }: Fact): Promise<void> => {
    if (!(await caughtUp(position)))
      throw new ReadModelsBehind(`the read models do not hold ${position} yet`);
  };

  /** `changes` is asked for only where somebody uses the source. */
  const changed = async (
    fact: Fact,
    of: { readonly kind: CauseKind; readonly key: string; readonly eventId: string | null },
    changesOf: () => Promise<ChangesOf | null>,
    context: Context,
  ): Promise<void> => {
    const used = await uses.of(sourceOf(of), fact.meta.workspace!, of.key, () => upToDate(fact));
    const changes = used.length > 0 ? await changesOf() : null;
    if (!changes) return;
    for (const { workspace, key, goals } of used) {
      const affected = goals.flatMap(goal => {
        const span = changes(goal);
        return span ? [{ goalId: goal.goalId, ...span, ...sourcesOf(of.kind, key) }] : [];
      });
      if (affected.length === 0) continue;
      const cause: Cause = {
        ...{ ...of, key, position: fact.position, recordedAt: fact.at },
        from: Math.min(...affected.map(({ from }) => from)),
        to: Math.max(...affected.map(({ to }) => to)),
      };
      await noted(workspace, { cause, goals: affected }, context);
    }
  };

  const ofEvent = ({ data: { key, eventId } }: Of<'EventRecorded' | 'EventRevised' | 'EventWithdrawn'>) => ({
    ...{ key, eventId },
  });
  const again = (fact: Fact) => {
    uses.changed(fact.meta.workspace!, () => upToDate(fact));
    return Promise.resolve();
  };
  const market = (fact: Fact) => {
    uses.marketChanged(() => upToDate(fact));
    return Promise.resolve();
  };

  return {
    name: HISTORY_REVISION,
    concurrency: CONCURRENCY,
    on: {
      EventRecorded: (fact: Of<'EventRecorded'>, context) => {
        const time = fact.data.occurredAt;
        const changes = (goal: UsingGoal) =>
          isStale(goal, time, fact.at) ? { from: time, to: fact.at } : null;
        return changed(fact, { kind: 'event_recorded', ...ofEvent(fact) }, async () => changes, context);
      },
      async EventRevised(fact: Of<'EventRevised'>, context) {
        const { occurredAt, value, dataType } = fact.data.changes;
        // Nothing is made of what else may change
        if (occurredAt === undefined && value === undefined && dataType === undefined) return;
        const changes = async () => {
          const before = await eventBefore(fact);
          return happened([before?.occurredAt, occurredAt], fact.at);
        };
        await changed(fact, { kind: 'event_edited', ...ofEvent(fact) }, changes, context);
      },
      EventWithdrawn: (fact: Of<'EventWithdrawn'>, context) => {
        const changes = async () => happened([(await eventBefore(fact))?.occurredAt], fact.at);
        return changed(fact, { kind: 'event_deleted', ...ofEvent(fact) }, changes, context);
      },
      async PointsRecorded(fact: Fact<PointsRecorded>, context) {
        const { key, points } = fact.data;
        const changes = async (): Promise<ChangesOf | null> => {
          await upToDate(fact);
          const newest = await newestBefore(fact.meta.workspace!, key, fact.at);
          if (newest === null || newest <= points.from) return null;
          const columns = unpacked(points);
          return goal => lateOf(goal, columns, newest);
        };
        await changed(fact, { kind: 'points_recorded', key, eventId: null }, changes, context);
      },
      async PointsRevised(fact: Fact<PointsRevised>, context) {
        const { key, points } = fact.data;
        const span = { from: points.from, to: lastTime(points) };
        await changed(fact, { kind: 'points_revised', key, eventId: null }, async () => () => span, context);
      },
      ...Object.fromEntries(USERS.map(type => [type, again])),
      ...Object.fromEntries(MARKET.map(type => [type, market])),
    },
  };
}

/** What changes which goals use what. */
const USERS = [
  ...(['GoalCreated', 'GoalChanged', 'GoalActivated', 'GoalArchived', 'GoalRestored'] as const),
  ...(['GoalDeleted', 'SegmentCreated', 'SegmentRevised', 'SegmentDeleted'] as const),
  ...(['EdgeFound', 'EdgeRejected', 'EdgeRetired', 'EdgePinned', 'EdgeBlocked'] as const),
  ...(['EdgeUnblocked', 'EdgeOutdated'] as const),
];
const MARKET = [
  ...(['ListingPublished', 'ListingWithdrawn', 'SubscriptionStarted', 'SubscriptionEnded'] as const),
];

const sourcesOf = (kind: CauseKind, key: string) => ({
  signals: sourceOf({ kind }) === 'signal' ? [key] : [],
  streams: sourceOf({ kind }) === 'stream' ? [key] : [],
});

/** From the first of the times that are over onward, until now; null: none is. */
function happened(times: readonly (number | undefined)[], now: number): ChangesOf | null {
  const over = times.filter(time => time !== undefined && time <= now) as readonly number[];
  if (over.length === 0) return null;
  const span = { from: Math.min(...over), to: now };
  return () => span;
}
