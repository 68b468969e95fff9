import { DISCOVERY_TRIGGERS } from '../../domain/discovery/facts.js';
import { DISCOVERY_STATUSES } from '../../domain/discovery/state.js';
import { EDGE_STATUSES } from '../../domain/goals/ports.js';
import { array, nullable, object } from '../../json-schema.js';
import { asOfMember, thenToo } from '../edge/as-of.js';
import { perPageMembers } from '../edge/paging.js';
import { KINDS } from './schemas.js';

const text = { type: 'string' } as const;
const time = { type: 'string', format: 'date-time' } as const;
const number = { type: 'number' } as const;
const whole = { type: 'integer' } as const;
const maybe = nullable(number);
const share = nullable({ type: 'number', minimum: 0, maximum: 1 });
const interval = { ...nullable(array(number)), description: '[low, high], 90%' };
const reasons = {
  ...array(object({ code: text, text })),
  description: 'what stands against its validation, the weightiest first',
};
const keysOf = (description: string) => ({ ...array(text), description });

const curve = nullable(
  object({
    step_s: whole,
    scale: { ...number, description: 'effect times scale is in units of the target' },
    pre_trend_p: { ...maybe, description: 'below .05: something happens before the event' },
    points: array(
      object({
        offset_s: { ...whole, description: 'below 0: before the event' },
        effect: {
          ...number,
          description:
            'of an event of weight 1, in residual deviations: the fitted response that forecasts apply',
        },
        lower: number,
        upper: number,
        mean: { ...number, description: 'the plain mean over events, beside quiet times alike' },
        n: { ...whole, description: 'events that have a value there' },
      }),
    ),
  }),
);
const figures = {
  direction: { enum: ['positive', 'negative', 'mixed', null] },
  lift: { ...maybe, description: 'share of the out-of-sample loss that knowing the source removes' },
  lift_interval: interval,
  p_value: share,
  q_value: share,
  placebo_p: { ...share, description: 'share of shifted times that did as well' },
  n_occurrences: { ...nullable(whole), description: 'of streams' },
  optimal_lag_s: {
    ...maybe,
    description: 'of a stream the offset of its peak, of a signal how long it leads',
  },
  half_life_s: maybe,
  half_life_interval: interval,
  stability: { ...share, description: 'share of windows with the effect' },
  strength: share,
  relationship_type: { enum: ['very_strong', 'strong', 'moderate', 'weak', 'very_weak', null] },
  known_in_advance: { type: 'boolean' },
  confounders: keysOf('sources whose effects were taken out of this one'),
  confounded_by: keysOf('sources, `season` or `own_past`, beside which there is no effect'),
} as const;
export const edge = object({
  edge_id: text,
  goal_id: text,
  kind: { enum: KINDS },
  source_key: text,
  status: { enum: EDGE_STATUSES },
  ...figures,
  response_curve: curve,
  effect_peak: { ...maybe, description: 'of an event of weight 1, in units of the target' },
  weighing: nullable(object({ by: { enum: ['none', 'impact', 'importance', 'value'] }, mean: number })),
  importance_bar: {
    ...maybe,
    description:
      'from this importance on an event begins a shock now; null: of a signal, of an edge that does not act, '
      + 'and as of a past moment',
  },
  reasons,
  reason: { ...nullable(text), description: 'why it weakened or was retired' },
  validated_at: nullable(time),
  last_checked_at: nullable(time),
  weakening_since: nullable(time),
  found_at: time,
  history: { ...array(object({ at: time, lift: maybe, status: { enum: EDGE_STATUSES } })) },
});

const run = {
  discovery_id: text,
  goal_id: text,
  status: { enum: DISCOVERY_STATUSES },
  kind: { enum: ['search', 'recheck'], description: 'a recheck looks at edges that are known' },
  trigger: { enum: DISCOVERY_TRIGGERS },
  progress: { type: 'number', minimum: 0, maximum: 1 },
  candidates: { ...whole, description: 'sources that are looked at together' },
  tested: whole,
  found: whole,
  rejected: whole,
  queued_at: time,
  started_at: nullable(time),
  finished_at: nullable(time),
  as_of: time,
  settings: {
    type: 'object',
    additionalProperties: {},
    description: 'what was asked, and what it was answered with',
  },
  warnings: array(object({ code: text, text })),
  multiple_testing: object({ method: { const: 'benjamini_hochberg' }, alpha: number, tests: whole }),
  error: nullable(object({ code: text, message: text })),
} as const;
const result = object({
  edge_id: { ...nullable(text), description: 'null: it is no edge' },
  goal_id: text,
  kind: { enum: KINDS },
  source_key: text,
  verdict: { enum: ['validated', 'candidate', 'rejected', 'untested'], description: 'of this discovery' },
  status: { enum: [...EDGE_STATUSES, null], description: 'of the edge, as it is now' },
  ...figures,
  reasons,
});

export const startedAnswer = object({
  status: { const: 'queued' },
  data: object({ discovery_id: text, status: { const: 'queued' }, poll_url: text }),
});
export const listAnswer = object({
  data: object({ discoveries: array(object(run)), ...perPageMembers }),
});
const complete = object({ ...run, results: array(result) });
export const oneAnswer = object({ data: complete });
export const cancelledAnswer = object({ status: { const: 'cancelled' }, data: complete });

export const edgesAnswer = object({
  data: object({ edges: array(edge), ...perPageMembers }, { as_of: asOfMember }),
});
export const edgeAnswer = object({ data: thenToo(edge) });
export const markedAnswer = object({ status: { const: 'ok' }, data: edge });
export const unblockedAnswer = object({ status: { const: 'ok' }, discovery_id: text, data: edge });
