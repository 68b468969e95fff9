import { object } from '../../json-schema.js';

export const text = { type: 'string' } as const;
export const time = { type: 'string', format: 'date-time' } as const;
/** Credits as they stand in ledgers. */
export const credits = {
  type: 'string',
  pattern: '^-?\\d+\\.\\d{3}$',
  description: 'Credits as decimal text with three places',
  examples: ['12.500'],
} as const;

export const reference = object({ type: text, id: text });
export const planSchema = object({
  id: text,
  name: text,
  renews_at: { ...time, description: "When the plan's credits are granted next" },
});
