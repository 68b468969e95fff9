import { array, object, type ObjectSchema, type Schema } from '../../json-schema.js';
import { MOST_SERIES } from '../../domain/inference/given.js';
import { asOfGiven } from '../edge/as-of.js';

const id = (description: string, example: string) =>
  ({ type: 'string', minLength: 1, maxLength: 64, description, examples: [example] }) as const;
const PROMOTION = 'prm_0123456789abcdef_0123456789abcdef';
const aNumber = { type: ['number', 'null'] } as const;

/** One series in a request. */
export const givenSeries = object(
  {},
  {
    id: {
      ...id('name of the series in the answer, each once; its place in the list when absent', 'orders'),
    },
    start: { type: ['string', 'number'], description: 'time of the first value', examples: ['2026-01-01'] },
    step_s: {
      type: 'integer',
      minimum: 1,
      maximum: 315_576_000,
      description:
        'seconds from one value to the next; with `points` only where it cannot be told from them; 2629746 '
        + 'are a calendar month (of `values` from a day before the 29th on, UTC), and 2, 3, 4, 6 and 12 '
        + 'times as many so many months',
      examples: [86_400],
    },
    values: {
      ...array(aNumber),
      description: 'values one step apart, the newest last; null where one is missing',
      examples: [[20, 22, 21, 25, 24]],
    },
    points: {
      type: 'array',
      items: { type: 'array', minItems: 2, maxItems: 2, items: { type: ['string', 'number', 'null'] } },
      description: '[time, value] each, in any order, instead of `start`, `step_s` and `values`',
    },
  },
);

const columns = (description: string) =>
  ({
    type: 'object',
    maxProperties: 50,
    propertyNames: { minLength: 1, maxLength: 200 },
    additionalProperties: array({ type: 'number' }),
    description,
  }) as const satisfies Schema;

/** Which model answers, on which series: in the bodies of all tasks. */
export const subject = {
  promotion_id: id('the deployment; this or one of the next two', PROMOTION),
  goal_id: id(
    'what serves this goal: of its target, where neither `key` nor `series` says otherwise',
    'goa_1',
  ),
  pipeline_id: id('what serves this pipeline', 'pip_1'),
  key: {
    type: 'string',
    minLength: 1,
    maxLength: 500,
    description: 'a signal, or the base of entities: each signal `<key>__<entity>` is a series',
    examples: ['shop.orders'],
  },
  series: {
    type: 'array',
    minItems: 1,
    maxItems: MOST_SERIES,
    items: givenSeries,
    description: `at most ${MOST_SERIES}, with 500,000 numbers in all; instead of \`key\``,
  },
  as_of: asOfGiven,
  period: {
    type: 'integer',
    minimum: 1,
    maximum: 10_000,
    description: 'steps after which the main season comes again; it is looked for when absent',
    examples: [7],
  },
  seed: {
    type: 'integer',
    minimum: 0,
    maximum: 9_007_199_254_740_991,
    description: 'follows from the inputs when absent; equal inputs and seed give equal bits',
  },
  async: { type: 'boolean', description: 'answer at once with 202, and work later' },
  max_credits: {
    type: 'number',
    minimum: 0,
    description: 'a price above it is refused with 402 before anything begins',
    examples: [0.5],
  },
} as const;

const horizon = {
  type: 'integer',
  minimum: 1,
  description: 'steps ahead; that of the deployment, or of the goal, when absent',
  examples: [14],
} as const;
const fill = {
  enum: ['none', 'linear', 'ffill', 'seasonal'],
  description:
    'how gaps are filled; `linear` when absent, which leaves what is missing at an end; '
    + '`none`: the model is told of all',
} as const;

/** A whole body that may be sent: not all members go together. */
const shown = <S extends ObjectSchema>(example: object, schema: S): S => ({ ...schema, examples: [example] });
const one = { promotion_id: PROMOTION, key: 'shop.orders' };
const LABELLED = [
  { label: 'rising', values: [1, 2, 3, 4, 5, 6] },
  { label: 'falling', values: [6, 5, 4, 3, 2, 1] },
];

export const forecastBody = shown(
  { ...one, horizon: 14, quantiles: [0.1, 0.5, 0.9] },
  object(
    {},
    {
      ...subject,
      horizon,
      past: columns('covariates: for each name one number for each step of the history of the one series'),
      future: columns('those that are known ahead: one number for each step ahead'),
      quantiles: {
        type: 'array',
        minItems: 1,
        maxItems: 99,
        items: { type: 'number', exclusiveMinimum: 0, exclusiveMaximum: 1 },
        description: '0.05, 0.1, 0.25, 0.5, 0.75, 0.9, 0.95 when absent, or those of the goal',
        examples: [[0.1, 0.5, 0.9]],
      },
      scheduled_events: {
        type: 'boolean',
        description:
          "events that lie ahead move the forecast of a goal's target, unless this is false, or the goal's "
          + 'own option',
      },
      fill,
      explain: { type: 'boolean', description: 'adds `explanation` to each forecast' },
    },
  ),
);

export const anomalyBody = shown(
  { ...one, level: 99, window: 60 },
  object(
    {},
    {
      ...subject,
      level: {
        type: 'number',
        minimum: 50,
        maximum: 99.9,
        description: 'percent of regular values inside the band; 99 when absent',
        examples: [99],
      },
      window: {
        type: 'integer',
        minimum: 1,
        maximum: 1_000,
        description: 'how many of the newest points are judged; 100 when absent',
        examples: [60],
      },
    },
  ),
);

export const backtestBody = shown(
  { ...one, horizon: 7, windows: 5 },
  object(
    {},
    {
      ...subject,
      horizon,
      fill,
      windows: {
        type: 'integer',
        minimum: 1,
        maximum: 20,
        description: 'moments of the past; 5 when absent',
        examples: [5],
      },
      step: {
        type: 'integer',
        minimum: 1,
        maximum: 10_000,
        description: 'steps from one window to the next; the horizon when absent',
        examples: [7],
      },
      refit: {
        type: 'boolean',
        description:
          'fit the model anew for each window; a pretrained one is never fitted, so nothing changes',
      },
    },
  ),
);

export const imputeBody = shown(one, object({}, subject));
export const embedBody = shown(one, object({}, subject));
export const classifyBody = shown(
  { ...one, examples: LABELLED },
  object(
    {
      examples: {
        type: 'array',
        minItems: 2,
        maxItems: 1_000,
        items: object({ label: id('what the series is', 'weekly'), values: array(aNumber) }),
        description: 'series whose label is known, of two labels or more',
        examples: [LABELLED],
      },
    },
    subject,
  ),
);
