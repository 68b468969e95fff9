import { array, object } from '../../json-schema.js';

const text = { type: 'string' } as const;
const number = { type: 'number' } as const;

/** An event that moved a forecast beforehand. */
export const appliedEvent = object({
  event_id: text,
  stream: text,
  occurred_at: { type: 'integer', description: 'epoch ms' },
  edge_id: text,
  offset_s: { type: 'integer', description: 'from the first step to the event' },
  weight: number,
  effect_peak: number,
});

export const scorerVersion = {
  ...{ type: ['string', 'null'] },
  description:
    'of the scorer by whose scores events moved the forecast (several: with commas between); null: none did',
} as const;

export const carriedEvents = {
  ...{ type: 'integer', minimum: 0 },
  description:
    'past events of streams known in advance: not in what the model read, but carried on by their curves',
} as const;

const weights = object({ champion: number, generalist: number, response: number });

/** In which state of shock a forecast was made, and of what it was blended. */
export const shockBlend = object({
  state: { enum: ['shock', 'recovering'] },
  since: { type: 'string', format: 'date-time' },
  weights,
  remaining: number,
  band_factor: { ...number, description: '1 + k R at its making' },
  band_factors: {
    ...array(number),
    description: 'by which half-widths of bands were multiplied, one for each step: 1 + k R at that step',
  },
  episode_id: text,
  components: {
    ...object({ champion: array(number), generalist: array(number), response: array(number) }),
    description: 'what was blended by the weights: medians, one for each step',
  },
});
