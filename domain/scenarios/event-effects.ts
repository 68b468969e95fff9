import { together, type Response } from '../maths/effects/applied.js';

const KINDS = ['scheduled', 'carried', 'cause'] as const;

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
  /**
   * It lies ahead, or is assumed; it had happened, and goes on; it is a cause of the shock that the base was
   * made in: then it acts by the share that responses have there. Each kind is bounded by itself.
   */
  readonly as: (typeof KINDS)[number];
  /** Its id is not that of an event: which it is was not kept. */
  readonly nameless?: true;
  /** It does nothing any more where the base begins, and stays: by it, too, the others are bounded. */
  readonly over?: true;
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
    now = [...now.filter(one => one.over || one.eventId === null || !gone.includes(one.eventId)), ...come];
  return now.filter(({ edgeId }) => !off.has(edgeId));
}

/**
 * How much more some events move each step than others. `times`: as `at`; `share`: of the responses of causes
 * in the blend of the base.
 */
export function byEvents(
  times: readonly number[],
  after: readonly MovingEvent[],
  before: readonly MovingEvent[],
  share: number,
): number[] {
  const sums = times.map(() => 0);
  for (const kind of KINDS) {
    const of = (events: readonly MovingEvent[]): number[] =>
      together(
        events.filter(one => one.as === kind),
        times,
      );
    const [is, was] = [of(after), of(before)];
    is.forEach((value, h) => (sums[h]! += (kind === 'cause' ? share : 1) * (value - was[h]!)));
  }
  return sums;
}
