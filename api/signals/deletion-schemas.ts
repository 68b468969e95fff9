import { array, object } from '../../json-schema.js';
import { orWouldBe } from '../edge/dry-run.js';
import { MOST_KEYS } from './label-schemas.js';
import { signalKey } from './schemas.js';

const text = { type: 'string' } as const;
const whole = { type: 'integer', minimum: 0 } as const;
const keys = { type: 'array', maxItems: MOST_KEYS, items: signalKey, examples: [['shop.orders']] } as const;

export const deletionBody = object(
  {},
  {
    keys: { ...keys, description: 'signals' },
    event_streams: { ...keys, description: 'event streams', examples: [['outages']] },
    force: {
      type: 'boolean',
      description: 'also what is listed on the marketplace, or used by a goal or segment',
    },
  },
);
export const reasons = ['subscribed_alias', 'subscribed_stream', 'not_found'] as const;
export const deletionAnswer = orWouldBe(
  object({
    data: object({
      deleted_keys: array(text),
      deleted_streams: array(text),
      deleted_points: whole,
      deleted_events: whole,
      skipped: array(object({ key: text, reason: { enum: reasons } })),
    }),
  }),
);
