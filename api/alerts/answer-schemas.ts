import { ALERT_KINDS, ALERT_SEVERITIES } from '../../domain/alerts/kinds.js';
import { ALERT_STATES } from '../../domain/alerts/state.js';
import { INSTANCE_STATES } from '../../projections/alerts/documents.js';
import { array, nullable, object } from '../../json-schema.js';
import { goneOr } from '../edge/dry-run.js';
import { perPageMembers } from '../edge/paging.js';

const text = { type: 'string' } as const;
const time = { type: 'string', format: 'date-time' } as const;
const whole = { type: 'integer', minimum: 0 } as const;

const evidence = object({
  value: { ...nullable({ type: 'number' }), description: 'what was held against the rule' },
  message: text,
  at: { ...nullable(time), description: 'of the step, the event or the last data' },
  forecast_id: nullable(text),
  event_id: nullable(text),
});
const alert = object({
  alert_id: text,
  goal_id: nullable(text),
  name: text,
  kind: { enum: ALERT_KINDS },
  params: { type: 'object', additionalProperties: {}, description: 'by `kind`' },
  for_seconds: whole,
  severity: { enum: ALERT_SEVERITIES },
  channels: array(text),
  enabled: { type: 'boolean' },
  mute_until: nullable(time),
  cooldown_seconds: whole,
  created_by: { ...text, description: 'the user who made it' },
  state: { enum: ALERT_STATES },
  state_since: { ...time, description: 'when it came to be normal, pending, firing, acknowledged, resolved' },
  instance_id: { ...nullable(text), description: 'what fires now' },
  evidence: { ...nullable(evidence), description: 'of the newest check that moved it' },
  error: { ...nullable(object({ code: text, message: text })), description: 'why it could not be checked' },
  created_at: time,
  updated_at: time,
  version: { ...whole, description: 'counts what people changed' },
});
const instance = object({
  instance_id: text,
  alert_id: text,
  goal_id: nullable(text),
  state: { enum: INSTANCE_STATES },
  severity: { enum: ALERT_SEVERITIES },
  started_at: { ...time, description: 'when it began to hold' },
  fired_at: time,
  acknowledged_at: nullable(time),
  acknowledged_by: nullable(text),
  snoozed_until: nullable(time),
  resolved_at: nullable(time),
  resolved_by: { ...nullable(text), description: 'null where it did not hold any more' },
  repeats: { ...whole, description: 'how often its author was told again' },
  ...{ value: nullable({ type: 'number' }), message: text, evidence },
});

export const oneAnswer = object({ data: alert });
export const listAnswer = object({ data: object({ alerts: array(alert), ...perPageMembers }) });
export const deletedAnswer = goneOr({ alert_id: text });
export const testedAnswer = object({ status: { const: 'ok' }, data: alert });
export const instancesAnswer = object({ data: object({ instances: array(instance), ...perPageMembers }) });
export const instanceAnswer = object({ status: { const: 'ok' }, data: instance });
