import { exhaustMap, from, lastValueFrom, mergeMap, Subject, takeUntil, timer, toArray } from 'rxjs';
import type { Handle } from '../commands/engine/handle.js';
import type { Log } from '../commands/ports/log.js';
import { events } from '../domain/events/decider.js';
import type { DueDoc } from '../projections/events/documents.js';
import type { EventQueries } from '../projections/events/queries.js';
import type { Running } from './engine/follow.js';

type Due = {
  readonly queries: Pick<EventQueries, 'due'>;
  readonly handle: Handle;
  readonly clock: () => number;
  readonly newId: () => string;
  /** Resolves when the read models hold what was written at a position. */
  readonly visible: (position: number) => Promise<unknown>;
  readonly log: Log;
};

const EVERY_MS = 250;
const AT_ONCE = 500;
const CONCURRENCY = 16;

/**
 * Marks scheduled events as due when their time has come, also those whose time passed while no process ran.
 * That each fires once is the decider's doing: whoever marks it second finds nothing to decide. One that
 * cannot be marked is tried again with growing pauses and holds up no other.
 */
export function dueScheduler(deps: Due): Running {
  const { queries, clock, log } = deps;
  const stopped = new Subject<void>();
  const pauses = new Pauses();
  let stopping = false;

  /** Never rejects, so that no round ends before all its marks; answers why it failed. */
  const attempt = async (doc: DueDoc): Promise<{ readonly failure: unknown }> => {
    if (stopping) return { failure: null };
    try {
      await mark(doc, deps);
      pauses.end(doc._id);
      return { failure: null };
    } catch (failure) {
      pauses.longer(doc._id);
      return { failure };
    }
  };
  const round = async (): Promise<void> => {
    const { due } = await queries.due(clock(), AT_ONCE + pauses.count());
    pauses.keep(due.map(({ _id }) => _id));
    const rested = due.filter(({ _id }) => !pauses.has(_id));
    const marks = await lastValueFrom(from(rested).pipe(mergeMap(attempt, CONCURRENCY), toArray()));
    const failures = marks.map(({ failure }) => failure).filter(failure => failure !== null);
    if (failures.length > 0) log.error({ err: failures[0], events: failures.length }, FAILED);
  };
  const rounds = timer(0, EVERY_MS).pipe(
    takeUntil(stopped),
    exhaustMap(() => round().catch((err: unknown) => log.error({ err }, FAILED))),
  );
  const ended = lastValueFrom(rounds, { defaultValue: undefined });
  return {
    async stop() {
      stopping = true;
      stopped.next();
      await ended;
    },
  };
}

const FAILED = 'scheduled events could not be marked as due; tried again';

/** Decides that the event has come due, and waits until the read models know. */
async function mark({ workspace, event_id: eventId }: DueDoc, deps: Due): Promise<void> {
  const { handle, clock, newId, visible } = deps;
  const now = clock();
  const context = {
    workspace,
    actor: 'scheduler:due',
    request: null,
    correlation: newId(),
    causation: null,
    at: now,
  };
  const { position } = await handle(
    events,
    { type: 'MarkEventDue', data: { workspace, eventId, now } },
    context,
  );
  if (position !== null) await visible(position);
}

const LONGEST_PAUSE_MS = 60_000;

/** What failed, and until when it rests, by a clock that nobody sets. */
class Pauses {
  readonly #all = new Map<string, { readonly failures: number; readonly until: number }>();

  count(): number {
    return this.#all.size;
  }
  has(id: string): boolean {
    return (this.#all.get(id)?.until ?? 0) > performance.now();
  }
  longer(id: string): void {
    const failures = (this.#all.get(id)?.failures ?? 0) + 1;
    const pauseMs = Math.min(EVERY_MS * 2 ** failures, LONGEST_PAUSE_MS);
    this.#all.set(id, { failures, until: performance.now() + pauseMs });
  }
  end(id: string): void {
    this.#all.delete(id);
  }
  /** Forgets all others. */
  keep(ids: readonly string[]): void {
    const kept = new Set(ids);
    for (const id of this.#all.keys()) if (!kept.has(id)) this.#all.delete(id);
  }
}
