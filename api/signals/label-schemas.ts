import { array, nullable, object } from '../../json-schema.js';
import { signalKey } from './schemas.js';

const text = { type: 'string' } as const;
const whole = { type: 'integer', minimum: 0 } as const;
const PRINTABLE = '^[^\\u0000-\\u001f\\u007f]*$';
const NOT_BLANK = '^(?=.*\\S)[^\\u0000-\\u001f\\u007f]*$';

/** Keys of one request at most. */
export const MOST_KEYS = 1_000;
const keys = {
  type: 'array',
  minItems: 1,
  maxItems: MOST_KEYS,
  items: signalKey,
  examples: [['shop.orders', 'shop.returns']],
} as const;
const map = <const S>(schema: S) => ({ type: 'object', additionalProperties: schema }) as const;

export const unitsAnswer = object({
  units: {
    ...map(object({ unit: text, origin: { enum: ['user', 'source', 'inferred', 'marketplace'] } })),
    description: 'by the key of the signal; those without a unit are absent',
  },
});
export const assignUnitBody = object(
  { keys },
  {
    unit: {
      type: ['string', 'null'],
      maxLength: 40,
      pattern: PRINTABLE,
      description: 'empty or absent: the assignment is cleared',
      examples: ['EUR'],
    },
  },
);

export const groupsAnswer = object({
  groups: {
    ...array(
      object({
        name: text,
        count: { ...whole, description: 'signals and event streams' },
        origins: map(whole),
      }),
    ),
    description: '`origins`: how many are in it on whose word',
  },
  assignments: {
    ...map(object({ group: text, origin: { enum: ['user', 'inferred', 'marketplace'] } })),
    description: "by key; where a signal and an event stream have the same one, the signal's",
  },
});
export const assignGroupBody = object({
  keys,
  group: { type: 'string', minLength: 1, maxLength: 200, pattern: NOT_BLANK, examples: ['shop'] },
});
export const unassignGroupBody = object({ keys });

export const labelledAnswer = object({
  status: { const: 'ok' },
  data: object({
    updated: { ...whole, description: 'keys for which it is so now' },
    unknown_keys: array(text),
  }),
});

export const namesAnswer = {
  ...map(text),
  description: 'by key; those without a display name are absent',
} as const;
export const nameBody = object(
  { key: signalKey },
  {
    name: {
      type: ['string', 'null'],
      maxLength: 200,
      pattern: PRINTABLE,
      description: 'empty or absent: the name is cleared',
      examples: ['Orders a day'],
    },
  },
);
export const nameAnswer = object({
  status: { const: 'ok' },
  data: object({ key: text, display_name: nullable(text) }),
});
