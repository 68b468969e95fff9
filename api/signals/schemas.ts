import { array, object } from '../../json-schema.js';
import { givenTime } from '../edge/times.js';

const whole = { type: 'integer', minimum: 0 } as const;

export const MAX_PUSHED = 5_000;

export const signalKey = {
  type: 'string',
  minLength: 1,
  maxLength: 200,
  pattern: '^[^\\u0000-\\u001f\\u007f]*$',
  examples: ['shop.orders'],
} as const;

const point = {
  key: { description: "the signal's name", examples: ['shop.orders'] },
  value: { description: 'a finite number', examples: [41.5] },
  timestamp: givenTime,
  entity: { description: 'makes the key `<key>__<entity>`', examples: ['berlin'] },
  unit: { description: 'unit of the values, as the source names it', examples: ['EUR'] },
} as const;

/**
 * Each point is checked by itself, so that one bad one does not sink the rest: the schema takes anything in
 * its place.
 */
const anyPoint = {
  anyOf: [object({}, point), { description: 'anything else is refused by itself' }],
} as const;
export const pushBody = object(
  {},
  {
    ...point,
    points: {
      type: 'array',
      minItems: 1,
      maxItems: MAX_PUSHED,
      items: anyPoint,
      description: 'many points, of one signal or many',
    },
    values: {
      type: 'array',
      minItems: 1,
      maxItems: MAX_PUSHED,
      items: {},
      description: 'many points of the signal `key`: [time, value] each',
      examples: [
        [
          ['2026-03-01T00:00:00Z', 41.5],
          ['2026-03-02T00:00:00Z', 40],
        ],
      ],
    },
  },
);

const pointError = object({
  index: { ...whole, description: 'of the point in the request' },
  field: { type: 'string', description: 'empty: the point as a whole' },
  code: { type: 'string' },
  message: { type: 'string' },
});
export const pushAnswer = object({
  status: { const: 'accepted' },
  data: object({
    accepted: { ...whole, description: 'points recorded, new ones and revised ones' },
    revised: { ...whole, description: 'of these, at times that had another value' },
    duplicates: { ...whole, description: 'known before with the same value; nothing was written' },
    rejected: whole,
    errors: { ...array(pointError), description: 'the first 100' },
  }),
});

export const hasDataAnswer = object({
  has_data: { type: 'boolean' },
  signal_count: { ...whole, description: 'event streams do not count' },
});
