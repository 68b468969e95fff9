import { ALGORITHM_NAMES } from '../../domain/models/algorithms.js';
import { INTENSITIES, VISIBILITIES } from '../../domain/models/facts.js';
import { nullable, object } from '../../json-schema.js';
import { family, slug, task, text } from './foundation-schemas.js';

const words = {
  type: 'array',
  maxItems: 20,
  uniqueItems: true,
  items: { type: 'string', minLength: 1, maxLength: 50 },
  default: [],
} as const;
const map = { type: 'object' } as const;

export const createBody = object(
  {
    kind: {
      enum: ['foundation', 'custom'],
      description: '`foundation`: a foundation model to be fine-tuned; `custom`: an algorithm to be fitted',
    },
  },
  {
    name: {
      type: 'string',
      minLength: 1,
      maxLength: 200,
      description: 'what it is made of when absent',
      examples: ['Orders of the shop'],
    },
    purpose: nullable({ type: 'string', maxLength: 200 }),
    description: { type: 'string', maxLength: 4_000 },
    visibility: { enum: VISIBILITIES, default: 'private' },
    categories: words,
    tags: words,
    metadata: { ...map, description: 'at most 16,384 characters as JSON' },
    family: { ...family, description: 'foundation, required: any that is hosted' },
    slug: { ...slug, description: 'foundation: of `presage` it follows from `task` when absent' },
    task: { ...task, default: 'forecast' },
    intensity: { enum: INTENSITIES, default: 'adapt', description: 'foundation: deeper costs more' },
    lookback: {
      type: 'integer',
      minimum: 1,
      description: 'foundation: values read of a series; 2048, or the cap of the model, when absent',
    },
    horizon: {
      type: 'integer',
      minimum: 1,
      description: 'foundation: steps ahead; 128, or the cap of the model, when absent',
    },
    algorithm: { enum: ALGORITHM_NAMES, description: 'custom, required' },
    hyperparameters: { ...map, description: 'custom: as the schema of the algorithm says' },
  },
);

export const createAnswer = object({
  data: object({
    uid: text,
    message: text,
    charge: {
      ...nullable(object({ credits: { type: 'number' }, ledger_id: nullable(text) })),
      description: 'foundation: what it costs; charged when it is trained',
    },
    adapter_id: { ...nullable(text), description: 'null until it is trained' },
  }),
});
