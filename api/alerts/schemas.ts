import { ALERT_KINDS, ALERT_SEVERITIES } from '../../domain/alerts/kinds.js';
import { INSTANCE_STATES } from '../../projections/alerts/documents.js';
import { array, object } from '../../json-schema.js';
import { clearable } from '../edge/clearing.js';
import { perPageQuery } from '../edge/paging.js';

const id = { type: 'string', minLength: 1, maxLength: 128 } as const;
const YEAR_S = 31_536_000;
const seconds = { type: 'integer', minimum: 0, maximum: YEAR_S } as const;
const name = { type: 'string', minLength: 1, maxLength: 160 } as const;
const params = {
  type: 'object',
  additionalProperties: {},
  description: 'by `kind`; in a PATCH members that are absent stay',
} as const;

const muteUntil = {
  type: ['number', 'string'],
  description: 'epoch seconds, epoch milliseconds or ISO 8601; until then nothing is checked',
} as const;
const members = clearable({
  params,
  for_seconds: { ...seconds, default: 0, description: 'it fires once it has held for so long' },
  severity: { enum: ALERT_SEVERITIES, default: 'warning' },
  channels: {
    ...array(id),
    maxItems: 20,
    description: "channels of the rule's author; none: as their preferences say",
  },
  enabled: { type: 'boolean', default: true },
  mute_until: muteUntil,
  cooldown_seconds: {
    ...seconds,
    default: 3_600,
    description:
      'after it was resolved it fires no sooner again, and while it fires it tells no sooner again',
  },
});
const example = {
  name: 'Many orders',
  kind: 'threshold',
  params: { value: 1_000, direction: 'above' },
  severity: 'critical',
};
const eventExample = {
  name: 'Strikes',
  kind: 'event',
  params: { stream: 'news', min_importance: 0.6 },
};
const bodyOf = (given: object) =>
  ({
    ...object({ name, kind: { enum: ALERT_KINDS } }, members),
    examples: [given],
  }) as const;
export const goalBody = bodyOf(example);
export const workspaceBody = bodyOf(eventExample);
export const patchBody = {
  ...object({}, { name, ...members }),
  examples: [{ mute_until: '2026-03-01T12:00:00Z' }],
} as const;
export const snoozeBody = object({
  until: {
    type: ['number', 'string'],
    description: 'epoch seconds, epoch milliseconds or ISO 8601',
    examples: ['2030-03-01T12:00:00Z'],
  },
});

const goalId = { ...id, examples: ['goa_0k3v9x1m2n4p5q6r'] } as const;
const alertId = { ...id, examples: ['alr_0k3v9x1m2n4p5q6r'] } as const;
const instanceId = { ...id, examples: ['ain_0123456789abcdef'] } as const;
const known = { goal_id: goalId, alert_id: alertId, instance_id: instanceId } as const;
const anyOf = object({}, known);
/** Of the paths below `alerts`, and of those below a goal. */
export const paramsOf = (ofGoal: boolean, ...names: readonly ('alert_id' | 'instance_id')[]) => {
  const all = ofGoal ? (['goal_id', ...names] as const) : names;
  return object(Object.fromEntries(all.map(name => [name, known[name]]))) as unknown as typeof anyOf;
};
export const listQuery = object(perPageQuery(), { kind: { enum: ALERT_KINDS } });
export const instancesQuery = object(perPageQuery(), { state: { enum: INSTANCE_STATES } });
