import { together, type Response } from '../maths/effects/applied.js';

/** An event that moves the target: one of the base, or one that is assumed (`eventId` null). */
export type MovingEvent = {
  readonly eventId: string | null;
  readonly edgeId: string;
  readonly stream: string;
  /** Beginning of the step that it happens in, as steps of equal length have it, epoch ms. */
  readonly at: number;
  /** When it happens, epoch ms. */
  readonly occurredAt: number;
  readonly weight: number;
  readonly response: Response;
};
/** What an assumption changes of the events of the base: those that go, and those that come. */
export type EventChange = { readonly gone: readonly string[]; readonly come: readonly MovingEvent[] };
export const NO_CHANGE: EventChange = { gone: [], come: [] };

/** The events after some changes, those of edges that are off left out. */
export function eventsAfter(
  base: readonly MovingEvent[],
  changes: readonly EventChange[],
  off: ReadonlySet<string>,
): readonly MovingEvent[] {
  let now = base;
  for (const { gone, come } of changes)
    now = [...now.filter(({ eventId }) => eventId === null || !gone.includes(eventId)), ...come];
  return now.filter(({ edgeId }) => !off.has(edgeId));
}

/** How much more some events move each step than others. `times`: as `at`. */
export function byEvents(
  times: readonly number[],
  after: readonly MovingEvent[],
  before: readonly MovingEvent[],
): number[] {
  const of = (events: readonly MovingEvent[]): number[] => together(events, times);
  const [is, was] = [of(after), of(before)];
  return is.map((value, h) => value - was[h]!);
}
