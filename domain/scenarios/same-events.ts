import type { MovingEvent } from './event-effects.js';

/** An event that was recorded, as the edge of its stream weighs it; `weight` null: it has no scores. */
type Recorded = { readonly edgeId: string; readonly occurredAt: number; readonly weight: number | null };

/**
 * Tells as which of the events of a base it was made with one that was recorded: by its id, whatever was
 * corrected since; one whose id was not kept by its edge, time and weight, and each for one event only.
 * Undefined: with none; null: it may be one whose id was not kept, corrected or scored anew since.
 */
export function sameEvents(base: readonly MovingEvent[], asOf: number) {
  const nameless = base.filter(one => one.nameless);
  const taken = new Map<MovingEvent, string>();
  return (eventId: string, event: Recorded | null): MovingEvent | null | undefined => {
    const itself = base.find(one => one.eventId === eventId);
    if (itself || !event) return itself;
    const free = nameless.filter(
      one => one.edgeId === event.edgeId && (taken.get(one) ?? eventId) === eventId,
    );
    const same = free.find(one => one.occurredAt === event.occurredAt && one.weight === event.weight);
    if (same) taken.set(same, eventId);
    else if (event.occurredAt <= asOf && free.some(one => !one.over)) return null;
    return same;
  };
}
