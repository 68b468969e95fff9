import { NUMERIC_VERSION } from '../../domain/events/decider.js';
import type { EventCommand } from '../../domain/events/commands.js';
import type {
  Changes,
  EventFact,
  EventRecorded,
  EventScored,
  StreamDeleted,
} from '../../domain/events/facts.js';
import { neutralScores } from '../../domain/events/numeric.js';
import { HOUR } from '../../domain/time.js';

export const NOW = 1_000 * HOUR;
export const of = { workspace: 'w', eventId: 'evt_1' };
export const what = { eventId: 'evt_1', key: 'news', text: 'Storm cuts power' };
export const scores = { ...neutralScores(), importance: 0.5, rank: 40, novelty: 0.25 };

export const record = (
  over: Partial<Extract<EventCommand, { type: 'RecordEvent' }>['data']> = {},
): EventCommand => ({
  type: 'RecordEvent',
  data: {
    ...of,
    key: 'news',
    text: what.text,
    occurredAt: NOW,
    details: {},
    now: NOW,
    cadence: HOUR,
    ...over,
  },
});
export const recorded = (over: Partial<EventRecorded['data']> = {}): EventRecorded => ({
  type: 'EventRecorded',
  data: { ...what, occurredAt: NOW, shape: 'fresh', ...over },
});
export const scored: EventScored = {
  type: 'EventScored',
  data: { eventId: 'evt_1', key: 'news', scores, reasons: [], version: 'v1' },
};
export const numeric: EventScored = {
  type: 'EventScored',
  data: { eventId: 'evt_1', key: 'news', scores: neutralScores(), reasons: [], version: NUMERIC_VERSION },
};
export const withdrawn: EventFact = { type: 'EventWithdrawn', data: { eventId: 'evt_1', key: 'news' } };
export const deleted: StreamDeleted = { type: 'StreamDeleted', data: { key: 'news' } };
export const revise = (changes: object, seen: number | null = null): EventCommand => ({
  type: 'ReviseEvent',
  data: { ...of, changes, seen, now: NOW },
});
export const score = (asked: number): EventCommand => ({
  type: 'ScoreEvent',
  data: { ...of, asked, scores, reasons: [], version: 'v1' },
});
export const due = (now: number): EventCommand => ({ type: 'MarkEventDue', data: { ...of, now } });
export const revised = (changes: object, rescored: boolean, revision = 2): EventFact => ({
  type: 'EventRevised',
  data: { eventId: 'evt_1', key: 'news', revision, changes, rescored },
});
export const corrected = (changes: object, rescored: boolean, revision = 2): EventFact => ({
  type: 'EventRevised',
  data: { eventId: 'evt_1', key: 'news', revision, changes, rescored, corrected: true },
});
export const referred = (to: string): EventFact => ({
  type: 'EventReferred',
  data: { eventId: 'evt_1', key: 'news', to },
});
export const resubmitted: EventFact = { type: 'EventResubmitted', data: { eventId: 'evt_1', key: 'news' } };
/** Submitted with what is so already, but was not submitted before. */
export const confirmed = (submitted: Changes): EventFact => ({
  type: 'EventResubmitted',
  data: { eventId: 'evt_1', key: 'news', submitted },
});
