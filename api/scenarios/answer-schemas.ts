import { ASSUMPTION_KINDS } from '../../domain/scenarios/assumptions.js';
import { SCENARIO_STATUSES } from '../../domain/scenarios/state.js';
import { array, nullable, object } from '../../json-schema.js';
import { goneOr } from '../edge/dry-run.js';
import { perPageMembers } from '../edge/paging.js';

const text = { type: 'string' } as const;
const maybe = nullable(text);
const time = { type: 'string', format: 'date-time' } as const;
const number = { type: 'number' } as const;
const maybeNumber = nullable(number);
const whole = { type: 'integer', minimum: 0 } as const;
const status = { enum: SCENARIO_STATUSES } as const;
const kind = { enum: ASSUMPTION_KINDS } as const;
const quantiles = { type: 'object', additionalProperties: number } as const;
const points = array(object({ ts: time, mean: number, quantiles }));

const scenario = object({
  scenario_id: text,
  goal_id: text,
  name: text,
  description: maybe,
  status,
  progress: { ...number, minimum: 0, maximum: 1 },
  base: { ...text, description: '`latest`, or the id of a forecast' },
  base_forecast_id: text,
  as_of: { ...time, description: 'what the base knew, and nothing that came later' },
  horizon: whole,
  assumptions: array({ type: 'object', additionalProperties: {}, description: 'by `kind`' }),
  points: { ...points, description: '[] until it is completed' },
  delta: { ...points, description: 'the points less those of the base' },
  total_delta: { ...maybeNumber, description: 'sum of the deltas of the mean' },
  by_assumption: {
    ...array(object({ index: whole, kind, contribution: number })),
    description: 'in order: what each changes the total by beside those before it; they add up to it exactly',
  },
  extrapolation_warnings: array(
    object({
      index: whole,
      key: { ...text, description: 'of the signal or the stream' },
      field: { enum: ['value', 'importance', 'impact'] },
      value: { ...number, description: 'what goes furthest' },
      min: { ...number, description: 'the least that was seen by then' },
      max: number,
      message: text,
    }),
  ),
  warnings: {
    ...array(object({ index: nullable(whole), code: text, message: text })),
    description: 'assumptions that change nothing, or not all that they would, and why',
  },
  edges: { ...array(text), description: 'ids of the edges by which it acts' },
  error: nullable(object({ code: text, message: text })),
  run: { ...whole, description: 'how often it was run' },
  created_by: { ...text, description: 'uid' },
  created_at: time,
  requested_at: { ...time, description: 'when the run was asked for' },
  finished_at: nullable(time),
  usage: object({ credits: number }),
});

export const oneAnswer = object({ data: scenario });
export const queuedAnswer = object({
  status: { const: 'queued' },
  data: object({ scenario_id: text, status, poll_url: text }),
});
export const listAnswer = object({ data: object({ scenarios: array(scenario), ...perPageMembers }) });
export const deletedAnswer = goneOr({ scenario_id: text });
export const compareAnswer = object({
  data: object({
    scenarios: {
      ...array(object({ scenario_id: text, name: text, base_forecast_id: text, total_delta: number })),
      description: 'in the order of `ids`',
    },
    points: {
      ...array(
        object({
          ts: time,
          scenarios: array(
            object({ scenario_id: text, base: number, mean: number, delta: number, quantiles }),
          ),
        }),
      ),
      description: 'the steps that all have',
    },
  }),
});
