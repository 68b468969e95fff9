import { setImmediate as turn } from 'node:timers/promises';
import type { Context } from '../commands/engine/handle.js';
import type { Contents } from '../commands/ports/contents.js';
import { sweep } from '../commands/segments/building.js';
import type { SegmentCommands } from '../commands/segments.js';
import type { EventFact } from '../domain/events/facts.js';
import type { Fact } from '../domain/fact.js';
import type { AliasKind } from '../domain/marketplace/aliases.js';
import type { Change } from '../domain/segments/commands.js';
import type { SegmentFact } from '../domain/segments/facts.js';
import type { Span } from '../domain/segments/reach.js';
import type { PointsRecorded, PointsRevised, SignalDeleted } from '../domain/signals/facts.js';
import { lastTime } from '../domain/signals/points.js';
import { ReadModelsBehind } from './engine/failures.js';
import type { Reactor } from './engine/reactor.js';
import type { SegmentRef, SegmentUsers } from './segment-users.js';

type Staleness = {
  readonly users: SegmentUsers;
  readonly commands: Pick<SegmentCommands, 'markStale'>;
  readonly contents: Contents;
  /** When an event of this id happens now; null: it is gone. */
  readonly occursAt: (workspace: string, eventId: string) => Promise<number | null>;
  /** Resolves true when the read models of segments hold the fact at a position. */
  readonly caughtUp: (position: number) => Promise<boolean>;
};
type Of<T extends EventFact['type']> = Fact<Extract<EventFact, { type: T }>>;

/** All facts of a page at once: what changes one segment is told together. */
const CONCURRENCY = 256;

/**
 * Makes segments stale when something has changed that their tables read: points, events, deletions. And
 * takes away the tables of deleted segments.
 */
export function segmentStaleness({ users, commands, contents, occursAt, caughtUp }: Staleness): Reactor {
  const together = marking(commands);
  const changed = async (fact: Fact, kind: AliasKind, key: string, times: Span | null, context: Context) => {
    const upToDate = async (): Promise<void> => {
      if (!(await caughtUp(fact.position)))
        throw new ReadModelsBehind(`the read models do not hold ${fact.position} yet`);
    };
    const uses = await users.of(kind, fact.meta.workspace!, key, upToDate);
    await Promise.all(
      uses.map(({ read, entity, ...segment }) =>
        together(segment, { read, times, entity, upTo: fact.position }, context),
      ),
    );
  };
  const points = (fact: Fact<PointsRecorded | PointsRevised>, context: Context) =>
    changed(
      fact,
      'signal',
      fact.data.key,
      { from: fact.data.points.from, to: lastTime(fact.data.points) },
      context,
    );
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
      EventRecorded: (fact: Of<'EventRecorded'>, context) =>
        changed(fact, 'stream', fact.data.key, at(fact.data.occurredAt), context),
      async EventRevised(fact: Of<'EventRevised'>, context) {
        const { key, eventId, changes } = fact.data;
        // What else may change in an event is in no table
        if (changes.occurredAt === undefined && changes.value === undefined) return;
        // Where it was before it moved nobody knows any more
        const isMoved = changes.occurredAt !== undefined;
        const times = isMoved ? null : at(await occursAt(fact.meta.workspace!, eventId));
        await changed(fact, 'stream', key, times, context);
      },
      EventWithdrawn: (fact: Of<'EventWithdrawn'>, context) =>
        changed(fact, 'stream', fact.data.key, null, context),
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
