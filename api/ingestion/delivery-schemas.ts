import { deliveryKinds } from '../../domain/ingestion/deliveries.js';
import { array, nullable, object } from '../../json-schema.js';
import { perPageMembers } from '../edge/paging.js';
import { flag, sourceId, text, time, whole } from './source-schemas.js';

const deliveryId = { ...text, examples: ['whd_0k3v9x1m2n4p5q6r'] } as const;
export const deliveryParams = object({ source_id: sourceId, delivery_id: deliveryId });

const counts = {
  accepted: { ...whole, description: 'events that passed the checks, or points that were inserted' },
  duplicates: { ...whole, description: 'processed before, or points with the same value' },
  rejected: {
    ...whole,
    description:
      'items, or members of a row, that could not be taken: of events those without a text, with one of more '
      + 'than 100,000 characters, with an id of more than 500, or more than 400 days ahead',
  },
} as const;
const itemError = object({
  index: { ...whole, description: 'of the item' },
  field: nullable(text),
  code: text,
  message: text,
});
const errors = { ...array(itemError), description: 'the first 20' } as const;

/** What is delivered; where the items lie in it is the source's to say. */
export const deliveryBody = {
  type: ['object', 'array'],
  description: 'an item, a list of items, or what holds one at the `array_path` of the source',
  examples: [[{ id: 17, text: 'Port of Rotterdam closed', at: '2026-03-01T08:00:00Z' }]],
} as const;

export const deliveredAnswer = object({
  data: object({
    status: { const: 'ok' },
    kind: { enum: deliveryKinds },
    ...counts,
    ignored: { ...whole, description: 'items past the first 1,000' },
    errors,
    delivery_id: deliveryId,
  }),
});

export const deliveriesAnswer = object({
  data: object({
    deliveries: array(
      object({
        delivery_id: deliveryId,
        received_at: time,
        status_code: { type: 'integer' },
        kind: { enum: deliveryKinds },
        ...counts,
        bytes: whole,
        signature_header: { ...nullable(text), description: 'the header it was signed in; null: it was not' },
        errors,
        replay_of: { ...nullable(text), description: 'the delivery whose body this was again' },
      }),
    ),
    ...perPageMembers,
  }),
});

export const testBody = object(
  {},
  {
    body: {
      description:
        'a body as it would be delivered; absent: the last one that was, or the first page of what is polled',
      examples: [{ text: 'Hello' }],
    },
    kind: {
      enum: deliveryKinds,
      default: 'events',
      description: 'as which it is read',
      examples: ['events'],
    },
  },
);
export const testedAnswer = object({
  data: object({
    ok: { ...flag, description: 'whether anything would be taken, and nothing refused' },
    sample: {
      type: 'array',
      items: { type: 'object' },
      description: 'the first 5 events or points, as they would be taken',
    },
    warnings: array(text),
  }),
});
