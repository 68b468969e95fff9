import { GOAL_METRICS } from '../../domain/goals/settings.js';
import { TOURNAMENT_TRIGGERS } from '../../domain/tournaments/facts.js';
import { CONTESTANT_STATUSES, TOURNAMENT_STATUSES } from '../../domain/tournaments/state.js';
import { array, nullable, object } from '../../json-schema.js';
import { perPageMembers } from '../edge/paging.js';

const text = { type: 'string' } as const;
const time = { type: 'string', format: 'date-time' } as const;
const number = { type: 'number' } as const;
const whole = { type: 'integer', minimum: 0 } as const;
const bool = { type: 'boolean' } as const;
const maybeNumber = nullable(number);
const status = { enum: TOURNAMENT_STATUSES } as const;
const KINDS = ['foundation', 'deployment', 'method', 'ensemble'] as const;

const model = {
  type: 'object',
  additionalProperties: {},
  description: 'by `kind`: `served`, `local`, `ensemble`',
};
const champion = nullable(
  object({
    promotion_id: { ...nullable(text), description: 'of what a deployment serves' },
    model,
    name: text,
    score: maybeNumber,
    since: time,
    tournament_id: nullable(text),
  }),
);
const roles = {
  ...array({ enum: ['baseline', 'champion', 'generalist'] }),
  description: '`champion`: the one that there was, also where a new blend has its name',
} as const;
const contestant = object({
  contestant_id: text,
  name: text,
  kind: { enum: KINDS },
  status: { enum: CONTESTANT_STATUSES },
  roles,
  model: { ...nullable(model), description: 'null: an ensemble that is not made yet' },
  credits: { ...number, description: 'what its score cost, or may cost' },
  error: nullable(object({ code: text, message: text })),
});
const metrics = object({
  crps: { ...maybeNumber, description: 'over the nine deciles' },
  mase: maybeNumber,
  smape: { ...maybeNumber, description: '0 to 200' },
  mae: maybeNumber,
  pinball: { ...maybeNumber, description: "over the goal's quantiles" },
});
const row = object({
  rank: { ...whole, description: 'from 1' },
  contestant_id: text,
  name: text,
  kind: { enum: KINDS },
  roles,
  score: { ...number, description: 'the mean of what was lost in each fold' },
  score_interval: { ...array(number), description: 'where it lies with a probability of 90%' },
  skill: { ...maybeNumber, description: '1 - score/score of seasonal naive' },
  coverage_80: number,
  fit_s: { ...whole, description: 'begun seconds, of all its fits together; 0: it is not fitted' },
  predict_ms: { ...number, description: 'of a forecast, on average' },
  credits: number,
  beats_champion: bool,
  p_value: {
    ...maybeNumber,
    description: 'two-sided, of the test of Diebold and Mariano against the champion; null: no test',
  },
  losses: { ...array(maybeNumber), description: 'one for each fold, in order of `cutoffs`' },
  metrics,
  ljung_box_p: { ...maybeNumber, description: 'of what it left; small: there was more to know' },
});
const tournament = object({
  tournament_id: text,
  goal_id: text,
  status,
  progress: { ...number, minimum: 0, maximum: 1 },
  trigger: { enum: TOURNAMENT_TRIGGERS },
  metric: { enum: GOAL_METRICS },
  folds: whole,
  cutoffs: { ...array(time), description: 'the last step that a forecast knew; [] before they are cut' },
  steps: { ...nullable(whole), description: 'of each fold: the horizon, or fewer where history is short' },
  horizon: whole,
  as_of: time,
  contestants: array(contestant),
  leaderboard: { ...array(row), description: 'who has a score, best first; with ranks when it is completed' },
  champion_before: champion,
  champion_after: champion,
  runner_up: champion,
  decision: nullable(
    object({
      result: { enum: ['kept', 'replaced', 'none'] },
      by: { enum: ['policy', 'user'] },
      reason: text,
    }),
  ),
  budget_credits: maybeNumber,
  credits: { ...number, description: 'charged; of one that is not over, held' },
  error: nullable(object({ code: text, message: text })),
  started_at: time,
  finished_at: nullable(time),
  seed: whole,
});

export const startedAnswer = object({
  status: { const: 'queued' },
  data: object({ tournament_id: text, status: { const: 'queued' }, poll_url: text, credits: number }),
});
export const listAnswer = object({ data: object({ tournaments: array(tournament), ...perPageMembers }) });
export const oneAnswer = object({ data: tournament });
export const cancelledAnswer = object({ status: { const: 'cancelled' }, data: tournament });
export const crownedAnswer = object({ status: { const: 'ok' }, data: tournament });
