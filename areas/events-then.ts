import type { EventReads, EventThen } from '../commands/scenarios/events-known.js';
import { rangeOf } from '../domain/scenarios/extrapolations.js';
import { LATEST } from '../domain/time.js';
import type { EventsArea } from './events.js';

/** The newest events of a stream that say what is usual there. */
const LOOKED_AT = 1_000;

/** Events as they were recorded by some time, of the workspace and of what it subscribes to. */
export const eventsThen = ({ reads }: Pick<EventsArea, 'reads'>): EventReads => ({
  async event(workspace, eventId, asOf): Promise<EventThen | null> {
    const found = await reads.ofEvent(workspace, eventId);
    if (!found || found.event.timestamp > asOf) return null;
    const { key, occurred_at, value, scores } = found.event;
    const [importance, impact] = [scores?.importance ?? null, scores?.impact ?? null];
    return { stream: key, occurredAt: occurred_at, value, importance, impact };
  },
  async stream(workspace, key, asOf) {
    const queries = await reads.ofStream(workspace, key);
    if (!queries) return null;
    const { events } = await queries.streamPage(workspace, key, LOOKED_AT, LATEST, null);
    const then = events.filter(({ timestamp }) => timestamp <= asOf);
    if (then.length === 0) return null;
    return {
      value: rangeOf(then.map(({ value }) => value)),
      importance: rangeOf(then.map(({ scores }) => scores?.importance ?? null)),
      impact: rangeOf(then.map(({ scores }) => scores?.impact ?? null)),
    };
  },
});
