import { exhaustMap, from, lastValueFrom, mergeMap, Subject, takeUntil, timer } from 'rxjs';
import type { Handle } from '../commands/engine/handle.js';
import { events } from '../domain/events/decider.js';
import type { DueDoc } from '../projections/events/documents.js';
import type { EventQueries } from '../projections/events/queries.js';
import type { Running } from './engine/follow.js';
import type { Log } from '../commands/ports/log.js';

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
 * That each fires once is the decider's doing: whoever marks it second finds nothing to decide.
 */
export function dueScheduler({ queries, handle, clock, newId, visible, log }: Due): Running {
  const stopped = new Subject<void>();
  const mark = async ({ workspace, event_id: eventId }: DueDoc): Promise<number | null> => {
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
    return position;
  };
  const round = async (): Promise<void> => {
    try {
      const { due } = await queries.due(clock(), AT_ONCE);
      if (due.length === 0) return;
      const marks = from(due).pipe(
        mergeMap(mark, CONCURRENCY),
        mergeMap(async at => {
          if (at !== null) await visible(at);
        }),
      );
      await lastValueFrom(marks, { defaultValue: undefined });
    } catch (err) {
      log.error({ err }, 'scheduled events could not be marked as due; tried again');
    }
  };
  const ended = lastValueFrom(timer(0, EVERY_MS).pipe(takeUntil(stopped), exhaustMap(round)), {
    defaultValue: undefined,
  });
  return {
    async stop() {
      stopped.next();
      await ended;
    },
  };
}
