import { setImmediate as turn } from 'node:timers/promises';
import type { Context } from '../commands/engine/handle.js';
import type { Contents } from '../commands/ports/contents.js';
import { sweep } from '../commands/segments/building.js';
import type { SegmentCommands } from '../commands/segments.js';
import { eventJournalId } from '../domain/events/decider.js';
import type { EventFact } from '../domain/events/facts.js';
import { eventTimes, timeBefore } from '../domain/events/times.js';
import type { Fact } from '../domain/fact.js';
import type { AliasKind } from '../domain/marketplace/aliases.js';
import type { EdgeFact } from '../domain/edges/facts.js';
import type { GoalDeleted } from '../domain/goals/facts.js';
import type { Change, ResponseChange } from '../domain/segments/commands.js';
import type { SegmentFact } from '../domain/segments/facts.js';
import type { Span } from '../domain/segments/reach.js';
import type { PointsRecorded, PointsRevised, SignalDeleted } from '../domain/signals/facts.js';
import { lastTime } from '../domain/signals/points.js';
import { ReadModelsBehind } from './engine/failures.js';
import type { Reactor, ReactorDeps } from './engine/reactor.js';
import type { SegmentRef, SegmentUsers, Use } from './segment-users.js';

type Staleness = {
  readonly users: SegmentUsers;
  readonly commands: Pick<SegmentCommands, 'markStale'>;
  readonly contents: Contents;
  /** When an event of this id happens now; null: it is gone. */
  readonly occursAt: (workspace: string, eventId: string) => Promise<number | null>;
  /** The target that an edge of a stream acts on now; null: it acts on none. */
  readonly actsOn: (workspace: string, edgeId: string) => Promise<string | null>;
  /** Resolves true when the read models of segments and edges hold the fact at a position. */
  readonly caughtUp: (position: number) => Promise<boolean>;
};
type Of<T extends EventFact['type']> = Fact<Extract<EventFact, { type: T }>>;

/** All facts of a page at once: what changes one segment is told together. */
const CONCURRENCY = 256;

/**
 * Makes segments stale when something has changed that their tables read: points, events, deletions, what
 * events do to their targets. What is said of an event before its time changes none: it does when it comes
 * due. And takes away the tables of deleted segments.
 */
export function segmentStaleness({
  users,
  commands,
  contents,
  occursAt,
  actsOn,
  caughtUp,
}: Staleness): Reactor {
  const together = marking(commands);
  const upToDate = (fact: Fact) => async (): Promise<void> => {
    if (!(await caughtUp(fact.position)))
      throw new ReadModelsBehind(`the read models do not hold ${fact.position} yet`);
  };
  const changed = async (fact: Fact, kind: AliasKind, key: string, times: Span | null, context: Context) => {
    const uses = await users.of(kind, fact.meta.workspace!, key, upToDate(fact));
    await Promise.all(
      uses.map(({ workspace, segmentId, read, entity }) =>
        together({ workspace, segmentId }, { read, times, entity, upTo: fact.position }, context),
      ),
    );
  };
  /** What events do to the targets of some segments may be something else. */
  const responds = async (
    fact: Fact,
    uses: readonly Use[],
    times: Span | null,
    by: ResponseChange,
    context: Context,
  ) => {
    await Promise.all(
      uses.map(({ workspace, segmentId, read: { key } }) =>
        together(
          { workspace, segmentId },
          { read: { kind: 'response', key }, times, entity: null, upTo: fact.position, by },
          context,
        ),
      ),
    );
  };
  const usesOf = (fact: Fact, key: string): Promise<readonly Use[]> =>
    users.of('stream', fact.meta.workspace!, key, upToDate(fact));
  const respondingTo = async (fact: Fact, key: string): Promise<readonly Use[]> =>
    (await usesOf(fact, key)).filter(use => use.responds);
  const edge = async (fact: Fact<EdgeFact>, context: Context): Promise<void> => {
    const { edgeId, goalId, kind, sourceKey } = fact.data;
    if (kind !== 'event_stream') return;
    const uses = await respondingTo(fact, sourceKey);
    if (uses.length === 0) return;
    await upToDate(fact)();
    const target = await actsOn(fact.meta.workspace!, edgeId);
    // A candidate that was looked at is in no table
    if (fact.type === 'EdgeChecked' && target === null) return;
    await responds(fact, uses, null, { what: 'edge', edgeId, goalId, target }, context);
  };
  const points = (fact: Fact<PointsRecorded | PointsRevised>, context: Context) =>
    changed(
      fact,
      'signal',
      fact.data.key,
      { from: fact.data.points.from, to: lastTime(fact.data.points) },
      context,
    );
  /** When an event was to happen before a fact of it. */
  const before = async (fact: Of<'EventRevised' | 'EventWithdrawn'>, load: ReactorDeps['load']) =>
    timeBefore(await load(eventTimes, eventJournalId(fact.meta.workspace!, fact.data.eventId)), fact);
  const isToCome = (time: number | null, { at: now }: Fact): boolean => time !== null && time > now;
  const at = (time: number | null): Span | null => (time === null ? null : { from: time, to: time });
  const recipeOf = ({ data, meta }: Fact<SegmentFact>): SegmentRef => ({
    workspace: meta.workspace!,
    segmentId: data.segmentId,
  });
  const remember = (fact: Fact<Extract<SegmentFact, { type: 'SegmentCreated' | 'SegmentRevised' }>>) =>
    users.add(recipeOf(fact), fact.data.recipe);
  return {
    name: 'segment-staleness',
    concurrency: CONCURRENCY,
    on: {
      PointsRecorded: points,
      PointsRevised: points,
      SignalDeleted: (fact: Fact<SignalDeleted>, context) =>
        changed(fact, 'signal', fact.data.key, null, context),
      EdgeChecked: edge,
      EdgeValidated: edge,
      EdgeRetired: edge,
      EdgePinned: edge,
      EdgeBlocked: edge,
      EdgeOutdated: edge,
      async GoalDeleted(fact: Fact<GoalDeleted>, context) {
        const uses = await users.responding(fact.meta.workspace!, upToDate(fact));
        const { goalId } = fact.data;
        await responds(fact, uses, null, { what: 'edge', edgeId: null, goalId, target: null }, context);
      },
      async EventScored(fact: Of<'EventScored'>, context) {
        const uses = await respondingTo(fact, fact.data.key);
        if (uses.length === 0) return;
        const time = await occursAt(fact.meta.workspace!, fact.data.eventId);
        if (isToCome(time, fact)) return;
        await responds(fact, uses, at(time), { what: 'scores' }, context);
      },
      async EventRecorded(fact: Of<'EventRecorded'>, context) {
        const { key, occurredAt, shape } = fact.data;
        if (shape !== 'scheduled') await changed(fact, 'stream', key, at(occurredAt), context);
      },
      EventCameDue: (fact: Of<'EventCameDue'>, context) =>
        changed(fact, 'stream', fact.data.key, at(fact.data.occurredAt), context),
      async EventRevised(fact: Of<'EventRevised'>, context, { load }) {
        const { key, eventId, changes } = fact.data;
        // What else may change in an event is in no table
        if (changes.occurredAt === undefined && changes.value === undefined) return;
        if ((await usesOf(fact, key)).length === 0) return;
        const isMoved = changes.occurredAt !== undefined;
        const wasToCome = isMoved && isToCome(await before(fact, load), fact);
        const time = changes.occurredAt ?? (await occursAt(fact.meta.workspace!, eventId));
        if ((wasToCome || !isMoved) && isToCome(time, fact)) return;
        // Rows that it has moved out of differ, too
        await changed(fact, 'stream', key, isMoved && !wasToCome ? null : at(time), context);
      },
      async EventWithdrawn(fact: Of<'EventWithdrawn'>, context, { load }) {
        const { key } = fact.data;
        if ((await usesOf(fact, key)).length === 0 || isToCome(await before(fact, load), fact)) return;
        await changed(fact, 'stream', key, null, context);
      },
      StreamDeleted: (fact: Of<'StreamDeleted'>, context) =>
        changed(fact, 'stream', fact.data.key, null, context),
      SegmentCreated: remember,
      SegmentRevised: remember,
      async SegmentDeleted(fact: Fact<SegmentFact>) {
        const ref = recipeOf(fact);
        await users.add(ref, null);
        await sweep(contents, ref.segmentId, []);
      },
    },
  };
}

type Waiting = { readonly changes: Change[]; readonly done: Promise<void> };

/** Changes of one segment that come while others of it are being told are told together, once. */
function marking(commands: Pick<SegmentCommands, 'markStale'>) {
  const waiting = new Map<string, Waiting>();
  const last = new Map<string, Promise<void>>();
  return (segment: SegmentRef, change: Change, context: Context): Promise<void> => {
    const { workspace, segmentId } = segment;
    const open = waiting.get(segmentId);
    if (open) {
      open.changes.push(change);
      return open.done;
    }
    const changes = [change];
    const tell = async (): Promise<void> => {
      await last.get(segmentId)?.catch(() => undefined);
      await turn();
      waiting.delete(segmentId);
      await commands.markStale(workspace, segmentId, changes, context);
    };
    const done = tell();
    waiting.set(segmentId, { changes, done });
    last.set(segmentId, done);
    const forget = (): void => {
      if (last.get(segmentId) === done) last.delete(segmentId);
    };
    done.then(forget, forget);
    return done;
  };
}
