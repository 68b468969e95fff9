import { array, object } from '../../json-schema.js';
import { givenTime } from '../edge/times.js';
import { text, scheduled, status, eventId, recordableKey } from './schemas.js';

export const recordBody = object(
  {
    key: {
      ...recordableKey,
      description: 'stream name; not `.` or `..`, which no path can hold',
      'x-required': { code: 'event_key_required', message: "Event stream ('key') is required" },
    },
    text: {
      type: 'string',
      description: 'content that is scored',
      examples: ['Storm cuts power to 40,000 homes'],
      'x-required': { code: 'event_text_required', message: "Event 'text' is required" },
    },
  },
  {
    occurred_at: givenTime,
    name: {
      type: ['string', 'null'],
      maxLength: 200,
      description: 'default: the first 200 characters of `text`',
    },
    source: { type: ['string', 'null'], maxLength: 200, description: 'default: the stream key' },
    origin: { enum: ['manual', 'api', 'ingestion', null], description: 'default: `api`' },
    value: { type: ['number', 'null'] },
    data_type: { type: ['string', 'null'], maxLength: 64, description: 'default: `text`' },
    raw: { description: 'original payload, kept as it is' },
  },
);

export const recordAnswer = object({ data: object({ event_id: eventId, stream: text, status, scheduled }) });

const batchError = object({
  index: { type: 'integer' },
  field: { type: 'string', description: 'what of the item is wrong; empty: the item itself' },
  code: text,
  message: text,
});

export const batchBody = object({
  events: {
    type: 'array',
    minItems: 1,
    maxItems: 500,
    // Anything passes here: each item is checked by itself, and a wrong one is refused alone
    items: { anyOf: [recordBody, { description: 'Anything else is refused, by itself' }] },
  },
});

export const batchAnswer = object({
  status: { const: 'accepted' },
  data: object({
    accepted: { type: 'integer' },
    duplicates: {
      type: 'integer',
      description: 'of those accepted: they were there already, and nothing of them is new',
    },
    rejected: { type: 'integer' },
    events: array(object({ index: { type: 'integer' }, event_id: eventId, stream: text, status, scheduled })),
    errors: { ...array(batchError), maxItems: 100, description: 'the first 100' },
  }),
});
