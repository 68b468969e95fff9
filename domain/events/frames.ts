import type { Fact } from '../fact.js';
import { inWorkspace, type Channel, type FrameData, type Frames, type Tells } from '../realtime/frame.js';
import type { EventCameDue, EventRecorded } from './facts.js';

type Recorded = Fact<EventRecorded>;
type OfEvent = Fact<{
  readonly type: string;
  readonly data: { readonly eventId: string; readonly key: string };
}>;

/** An event as it stands; null: it is gone. `rank`: null while it has no score. */
export type EventNow = {
  readonly key: string;
  readonly status: string;
  readonly occurredAt: number;
  readonly rank: number | null;
};
export type FindEvent = (workspace: string, eventId: string) => Promise<EventNow | null>;

/** The goals that events of a stream move. */
export type Driven = (workspace: string, key: string) => Promise<readonly string[]>;

/** What is told of events: in their workspace, and to those who listen to a goal that they move. */
export function eventFrames(find: FindEvent, driven: Driven): Frames {
  const channels = async (fact: OfEvent): Promise<readonly Channel[]> => {
    const goals = await driven(fact.meta.workspace!, fact.data.key);
    return [...inWorkspace(fact), ...goals.map((id): Channel => `goal:${id}`)];
  };
  const asItStands = async ({ data: { eventId }, meta, at }: OfEvent): Promise<FrameData | null> => {
    const now = await find(meta.workspace!, eventId);
    if (!now) return null;
    const { key, status, occurredAt, rank } = now;
    return { event_id: eventId, key, status, scheduled: occurredAt > at, ...(rank !== null && { rank }) };
  };
  const recorded: Tells = { event: 'event.recorded', channels, data: asItStands };
  return {
    EventRecorded: {
      ...recorded,
      data: ({ data: { eventId, key, occurredAt }, at }: Recorded) => ({
        event_id: eventId,
        key,
        status: 'pending',
        scheduled: occurredAt > at,
      }),
    },
    EventResubmitted: recorded,
    EventRevised: recorded,
    EventScored: { ...recorded, event: 'event.scored' },
    EventCameDue: {
      event: 'event.due',
      channels,
      data: ({ data: { eventId, key, occurredAt } }: Fact<EventCameDue>) => ({
        event_id: eventId,
        key,
        occurred_at: occurredAt,
      }),
    },
  };
}
