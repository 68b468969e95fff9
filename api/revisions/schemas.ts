import { EDGE_STATUSES } from '../../domain/goals/ports.js';
import { GOAL_METRICS } from '../../domain/goals/settings.js';
import { CAUSES } from '../../domain/revisions/causes.js';
import { REVISION_STATUSES } from '../../domain/revisions/state.js';
import { array, nullable, object } from '../../json-schema.js';
import { perPageMembers, perPageQuery } from '../edge/paging.js';

const id = { type: 'string', minLength: 1, maxLength: 128 } as const;
const text = { type: 'string' } as const;
const time = { type: 'string', format: 'date-time' } as const;
const number = nullable({ type: 'number' });
const whole = { type: 'integer', minimum: 0 } as const;

export const goalParams = object({ goal_id: id });
export const oneParams = object({ revision_id: id });
export const listQuery = object(perPageQuery());

const cause = object({
  kind: { enum: CAUSES },
  key: { ...text, description: 'of the signal, or the stream' },
  event_id: nullable(text),
  from: { ...time, description: 'what it changed, both ends included' },
  to: time,
  recorded_at: time,
});
const edgeChange = object({
  edge_id: text,
  source_key: text,
  status_before: { enum: EDGE_STATUSES },
  status_after: { enum: EDGE_STATUSES },
  lift_before: number,
  lift_after: number,
});
const goal = object({
  goal_id: text,
  from: time,
  to: time,
  rows_changed: {
    ...nullable(whole),
    description: "of its segment's table; without one, steps of its target and of what drives it",
  },
  score_before: {
    ...number,
    description: 'of its champion on the window that changed, by what was known before',
  },
  score_after: { ...number, description: 'the same, by what is known since' },
  not_scored: { ...nullable(text), description: 'why there are no scores' },
  scored: nullable(
    object({
      metric: { enum: GOAL_METRICS },
      model: text,
      steps: whole,
      cutoffs: { ...array(time), description: 'the last step that each forecast knew' },
    }),
  ),
  edge_changes: array(edgeChange),
  tournament_id: { ...nullable(text), description: 'that began because the score moved' },
});
const segment = object({
  segment_id: text,
  table_hash_before: nullable(text),
  table_hash_after: { ...nullable(text), description: 'null while it is being built' },
  rows: { ...nullable(whole), description: 'that were made anew' },
});
const revision = object({
  revision_id: text,
  status: { enum: REVISION_STATUSES },
  cause: object({ key: text }, { event_id: text }),
  causes: { ...array(cause), description: 'in the order that they came, the first 1,000' },
  causes_total: { ...whole, description: 'how many there are' },
  from: time,
  to: time,
  goals: array(goal),
  segments: array(segment),
  error: nullable(object({ code: text, message: text })),
  queued_at: time,
  closes_at: { ...time, description: 'until when it takes further causes' },
  started_at: nullable(time),
  finished_at: nullable(time),
});

export const listAnswer = object({ data: object({ revisions: array(revision), ...perPageMembers }) });
export const oneAnswer = object({ data: revision });
