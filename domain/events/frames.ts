import type { Fact } from '../fact.js';
import { inWorkspace, type FrameData, type Frames, type Tells } from '../realtime/frame.js';
import type { EventCameDue, EventRecorded } from './facts.js';

type Recorded = Fact<EventRecorded>;
type OfEvent = Fact<{ readonly type: string; readonly data: { readonly eventId: string } }>;

/** An event as it stands; null: it is gone. `rank`: null while it has no score. */
export type EventNow = {
  readonly key: string;
  readonly status: string;
  readonly occurredAt: number;
  readonly rank: number | null;
};
export type FindEvent = (workspace: string, eventId: string) => Promise<EventNow | null>;

/** What is told of events. */
export function eventFrames(find: FindEvent): Frames {
  const asItStands = async ({ data: { eventId }, meta, at }: OfEvent): Promise<FrameData | null> => {
    const now = await find(meta.workspace!, eventId);
    if (!now) return null;
    const { key, status, occurredAt, rank } = now;
    return { event_id: eventId, key, status, scheduled: occurredAt > at, ...(rank !== null && { rank }) };
  };
  const recorded: Tells = { event: 'event.recorded', channels: inWorkspace, data: asItStands };
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
      channels: inWorkspace,
      data: ({ data: { eventId, key, occurredAt } }: Fact<EventCameDue>) => ({
        event_id: eventId,
        key,
        occurred_at: occurredAt,
      }),
    },
  };
}
