import { HINDRANCES } from '../../commands/shocks/qualifying.js';
import { EXIT_REASONS, PHASES, RECOVERING_REASONS } from '../../domain/shocks/facts.js';
import { array, nullable, object } from '../../json-schema.js';
import { perPageMembers, perPageQuery } from '../edge/paging.js';
import { givenTime } from '../edge/times.js';

const text = { type: 'string' } as const;
const number = { type: 'number' } as const;
const maybe = nullable(number);
const whole = { type: 'integer', minimum: 0 } as const;
const time = { type: 'string', format: 'date-time' } as const;
const id = { type: 'string', minLength: 1, maxLength: 128 } as const;
const ms = { type: 'integer', description: 'epoch ms' } as const;

const goalId = { ...id, description: 'id of a goal', examples: ['goa_0123456789abcdef'] };
export const allParams = object({ goal_id: goalId });
export const oneParams = object({
  goal_id: goalId,
  episode_id: { ...id, description: 'id of an episode', examples: ['shk_0123456789abcdef'] },
});
export const listQuery = object(perPageQuery());
export const exitBody = object({
  reason: { type: 'string', minLength: 1, maxLength: 2_000, examples: ['It was a false alarm'] },
});
export const simulateBody = object(
  {
    stream: { ...id, maxLength: 512, examples: ['shop.news'] },
    importance: { ...number, minimum: 0, maximum: 1, examples: [0.9] },
  },
  { occurred_at: { ...givenTime, examples: ['2026-03-01T09:00:00Z'] } },
);

const state = { enum: ['normal', 'shock', 'recovering'] } as const;
const weights = object({ champion: number, generalist: number, response: number });
const cause = object({
  event_id: text,
  stream: text,
  edge_id: text,
  importance: number,
  occurred_at: ms,
  weight: { ...number, description: 'against the mean event of its stream, -3 to 3' },
  remaining: { ...number, description: 'share of its response that remains, 0 to 1' },
  removed: {
    ...nullable({ enum: ['edge', 'event'] }),
    description: 'its edge acts no more, or it is no longer there',
  },
});
const shock = object({
  episode_id: text,
  since: time,
  until_estimate: time,
  causes: array(cause),
  remaining: { ...number, description: 'R(t): the largest share that remains of a response' },
  depth: { ...whole, description: 'events that reached the bar' },
  weights,
  band_factor: number,
  reason_entered: { enum: ['fresh_event', 'scheduled_event'] },
});
const grade = object({
  graded_steps: whole,
  blend_loss: { ...maybe, description: 'mean absolute error of what was served' },
  champion_loss: { ...maybe, description: 'the same of the champion alone' },
  blend_won: nullable({ type: 'boolean' }),
});
const row = {
  episode_id: text,
  goal_id: text,
  state: { enum: ['shock', 'recovering', 'over'] },
  entry: object({ at: time, reason: { enum: ['fresh_event', 'scheduled_event'] }, importance_bar: number }),
  recovering: nullable(
    object({ at: time, reason: { enum: RECOVERING_REASONS }, note: nullable(text), by: text }),
  ),
  exit: nullable(object({ at: time, reason: { enum: EXIT_REASONS } })),
  until_estimate: nullable(time),
  depth: whole,
  causes: array(cause),
  grade,
} as const;
const refit = object({
  at: time,
  phase: { enum: PHASES },
  changed: { type: 'boolean', description: 'false: they were looked at, and stayed' },
  before: weights,
  after: weights,
  evidence: object({
    from: time,
    to: time,
    fitted: whole,
    held_out: whole,
    loss_before: number,
    loss_after: number,
    champion_loss: number,
  }),
});

export const listAnswer = object({ data: object({ shocks: array(object(row)), ...perPageMembers }) });
export const oneAnswer = object({ data: object({ ...row, refits: array(refit) }) });
export const exitedAnswer = object({
  status: { const: 'ok' },
  data: object({ goal_id: text, shock_state: state, shock: nullable(shock) }),
});
export const simulatedAnswer = object({
  data: object({
    would_enter: { type: 'boolean', description: 'a shock begins, or the present one deepens' },
    reason: { ...nullable({ enum: HINDRANCES }), description: 'why not' },
    shape: { enum: ['fresh', 'stale', 'scheduled'] },
    at: { ...time, description: 'when: now, or once it happens' },
    importance_bar: { ...maybe, description: 'null: it was not asked for' },
    edge_id: nullable(text),
    shock_state_before: { ...state, description: 'of the goal at that time, if nothing else happens' },
    shock_state_after: state,
    shock: nullable(shock),
    response: {
      ...array(object({ ts: time, effect: number })),
      description:
        'what the events do at the steps of a forecast that is made then, in units of the target; its data '
        + 'are taken to be as far behind as they are now',
    },
  }),
});
