import { array, nullable, object } from '../../json-schema.js';
import { KEY_LIST } from '../edge/key-list.js';
import { text, time, whole, eventRow } from './list-schemas.js';

export const pairs = array({
  type: 'array',
  prefixItems: [{ type: 'integer', description: 'epoch ms' }, { type: 'number' }],
  minItems: 2,
  maxItems: 2,
});

export const overviewQuery = object(
  {
    max_points: {
      type: 'integer',
      minimum: 4,
      default: 200,
      'x-clamp': 1_000,
      description: 'points of a series, or of a line of an envelope, at most',
    },
  },
  {
    group: { type: 'string', maxLength: 200, description: 'only this group', examples: ['shop'] },
    pins: {
      type: 'string',
      description: `keys of signals that are shown by themselves, at most 24, ${KEY_LIST}`,
      examples: ['shop.orders'],
    },
    from: {
      type: 'string',
      description: 'a time; default: the first point of what is shown',
      examples: ['2026-01-01T00:00:00Z'],
    },
    to: {
      type: 'string',
      description: 'a time; default: the newest point of what is shown, or now if that is in the future',
      examples: ['2026-02-01T00:00:00Z'],
    },
  },
);

export const overviewAnswer = object({
  data: object({
    mode: { enum: ['series', 'groups'], description: '`groups` when there are more than 24 signals' },
    series: {
      ...array(object({ key: text, display_name: nullable(text), unit: nullable(text), points: pairs })),
      description:
        'pins first; thinned so that the first, last, lowest and highest point of each part of time stay',
    },
    groups: {
      ...array(
        object({
          group: text,
          count: { ...whole, description: 'signals of the group' },
          sampled: {
            ...whole,
            description: 'those that the lines are made of: the ones with the newest points',
          },
          median: pairs,
          band_lower: pairs,
          band_upper: pairs,
          band: { const: 'p10_p90' },
          normalized: { const: true },
        }),
      ),
      description: "the largest first; values are robust standard deviations from each signal's own middle",
    },
    event_streams: {
      ...array(eventRow),
      description: 'rows of the list, the one with the newest event first',
    },
    window: object({
      from: nullable(time),
      to: nullable(time),
      step_s: {
        type: ['integer', 'null'],
        minimum: 1,
        description: 'seconds that one of `max_points` stands for',
      },
    }),
    truncated: {
      type: 'boolean',
      description: 'there are more groups, signals of the group, pins or event streams than are shown',
    },
    unknown_pins: array(text),
  }),
});
