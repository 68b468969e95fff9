import { PATHLESS } from '../../domain/events/streams.js';
import { object } from '../../json-schema.js';

export const ms = { type: 'integer', description: 'epoch milliseconds' } as const;

export const text = { type: 'string' } as const;

export const scheduled = { type: 'boolean', description: '`occurred_at` is in the future' } as const;

export const status = { enum: ['pending', 'scored'] } as const;

export const eventId = {
  type: 'string',
  maxLength: 64,
  examples: ['evt_01hwdz2b3c9f0c2e61a7d40b8e5f2'],
} as const;

export const streamKey = {
  type: 'string',
  minLength: 1,
  maxLength: 200,
  pattern: '^[^\\u0000-\\u001f\\u007f]*$',
  examples: ['outages'],
} as const;

/** The same where events are recorded; older streams of such names can still be read and deleted. */
export const recordableKey = { ...streamKey, not: { enum: PATHLESS } } as const;

export const scoresSchema = object({
  sentiment: {
    enum: ['negative', 'neutral', 'positive', null],
    description: 'tone; like all scores null while the event is pending',
  },
  polarity: { type: ['number', 'null'], minimum: -1, maximum: 1 },
  importance: { type: ['number', 'null'], minimum: 0, maximum: 1 },
  relevance: { type: ['number', 'null'], minimum: 0, maximum: 1 },
  impact: { type: ['number', 'null'], minimum: -1, maximum: 1 },
  rank: { type: ['integer', 'null'], minimum: 0, maximum: 100 },
  novelty: {
    type: ['number', 'null'],
    minimum: 0,
    maximum: 1,
    description:
      'how new `text` was in its stream when it was scored: the share of its pairs of neighbouring words '
      + 'that none of the texts has which were recorded before it and occurred in the 7 days up to '
      + '`occurred_at` (the newest 64). Null for numeric content. No other score depends on it',
  },
});
