import { INTENSITIES, type Operation, type Operations } from '../../domain/billing/estimates.js';
import { array, object, type FromSchema, type ObjectSchema } from '../../json-schema.js';
import { checkOf } from '../edge/validation.js';

const many = (maximum: number, description: string, minimum = 1) =>
  ({ type: 'integer', minimum, maximum, description }) as const;
const text = { type: 'string', minLength: 1, maxLength: 200 } as const;
const intensity = { enum: INTENSITIES } as const;

// What is sent for each operation.

const inference = object(
  { steps: many(1_000_000, 'values answered for each series: the horizon of a forecast') },
  { series: many(1_000, '1 when absent'), calls: many(1_000_000, '1 when absent') },
);
const deployment = object(
  { replicas: many(1_000, 'replicas that are kept ready; the first is shared and free', 0) },
  { hours: many(87_840, '1 when absent') },
);
const finetune = object({ intensity }, { trainings: many(10_000, '1 when absent') });
const training = object({}, { trainings: many(10_000, '1 when absent') });
const pipeline_cycle = object(
  {
    models: {
      ...array(object({}, { model: text, family: text, slug: text, intensity })),
      minItems: 1,
      maxItems: 10_000,
      description: 'the pool: `{model}`, or `{family, slug, intensity}` with `adapt` when absent',
    },
  },
  { cycles: many(10_000, '1 when absent') },
);
const tournament = object({ contestants: many(10_000, 'models that take part') });
const fleet = object(
  { goals: many(10_000, 'goals that are activated'), contestants: many(10_000, 'of each tournament') },
  {
    forecasts: many(1_000_000, 'of each goal; none when absent', 0),
    horizon: many(1_000_000, 'steps of each forecast; 1 when absent'),
  },
);

export const paramSchemas = {
  inference,
  deployment,
  finetune,
  training,
  pipeline_cycle,
  tournament,
  fleet,
} as const satisfies Record<Operation, ObjectSchema>;
type Sent = { readonly [O in Operation]: FromSchema<(typeof paramSchemas)[O]> };

/** What was sent, with what is taken where it says nothing. */
const completed: { readonly [O in Operation]: (sent: Sent[O]) => Operations[O] } = {
  inference: ({ steps, series = 1, calls = 1 }) => ({ steps, series, calls }),
  deployment: ({ replicas, hours = 1 }) => ({ replicas, hours }),
  finetune: ({ intensity: depth, trainings = 1 }) => ({ intensity: depth, trainings }),
  training: ({ trainings = 1 }) => ({ trainings }),
  pipeline_cycle: ({ models, cycles = 1 }) => ({
    entries: models.map(({ model, intensity: depth }) => (model === undefined ? (depth ?? 'adapt') : null)),
    cycles,
  }),
  tournament: sent => sent,
  fleet: ({ goals, contestants, forecasts = 0, horizon = 1 }) => ({ goals, contestants, forecasts, horizon }),
};

const checks = Object.fromEntries(
  Object.entries(paramSchemas).map(([operation, params]) => [operation, checkOf(object({ params }), 'body')]),
);

/** What is to be priced. @throws Rejected 422 that names what is wrong in the params */
export function paramsIn<O extends Operation>(operation: O, params: unknown): Operations[O] {
  checks[operation]!({ params });
  return completed[operation](params as Sent[O]);
}
