// What custom models are fitted by: methods that are fitted anew to each series they forecast, and models
// that learn from windows of all series of a table.

/** JSON Schema (2020-12) of an algorithm's hyperparameters: every one has a default, no others are taken. */
export type Hyperparameters = {
  readonly type: 'object';
  readonly properties: Readonly<
    Record<string, { readonly default: unknown; readonly [keyword: string]: unknown }>
  >;
  readonly additionalProperties: false;
};
export type Algorithm = {
  readonly title: string;
  /** By which it is found in the catalogue. */
  readonly category: 'naive' | 'statistical' | 'linear' | 'trees' | 'network';
  readonly description: string;
  readonly hyperparameters: Hyperparameters;
};

const schema = (properties: Hyperparameters['properties'] = {}): Hyperparameters => ({
  type: 'object',
  properties,
  additionalProperties: false,
});
const withPeriod = (maximum: number): Hyperparameters =>
  schema({
    period: {
      type: ['integer', 'null'],
      minimum: 1,
      maximum,
      default: null,
      description: 'Steps of the season, 1 for none; null: found in the series',
    },
  });

/** The longest season that makes sense at all: the minutes of a week. */
const ANY_SEASON = 10_080;

/** What all models of windows have in common. */
const ofWindows = {
  period: withPeriod(ANY_SEASON).properties['period']!,
  lags: {
    type: 'integer',
    minimum: 1,
    maximum: 128,
    default: 8,
    description: 'So many last values are features by themselves, beside those of the last seasons',
  },
  calendar: {
    type: 'boolean',
    default: true,
    description: 'Whether hour, weekday and time of the year are features, where steps tell them apart',
  },
  inputs: {
    type: 'boolean',
    default: false,
    description:
      'Whether the inputs of the segment are features; a forecast must then be given them as covariates',
  },
} as const;

const algorithms = {
  naive: {
    title: 'Naive',
    category: 'naive',
    description: 'The last value, with the bands of a random walk',
    hyperparameters: schema(),
  },
  drift: {
    title: 'Drift',
    category: 'naive',
    description: 'The line through the first and the last value, gone on with',
    hyperparameters: schema(),
  },
  seasonal_naive: {
    title: 'Seasonal naive',
    category: 'naive',
    description: 'The last value one season ago',
    hyperparameters: withPeriod(ANY_SEASON),
  },
  theta: {
    title: 'Theta',
    category: 'statistical',
    description: 'Exponential smoothing with half the trend as drift, deseasonalised where there is a season',
    hyperparameters: withPeriod(ANY_SEASON),
  },
  ets: {
    title: 'ETS',
    category: 'statistical',
    description: 'Exponential smoothing, the form of least AICc of 15; a season of at most 24 steps',
    hyperparameters: withPeriod(24),
  },
  arima: {
    title: 'ARIMA',
    category: 'statistical',
    description: 'Seasonal ARIMA, orders by stepwise search; a season of at most 60 steps',
    hyperparameters: withPeriod(60),
  },
  mstl_ets: {
    title: 'MSTL with ETS',
    category: 'statistical',
    description: 'The season taken off by STL, also a long one, and exponential smoothing of the rest',
    hyperparameters: withPeriod(1_024),
  },
  ridge: {
    title: 'Ridge',
    category: 'linear',
    description:
      'A linear model for each step ahead, of last values, seasons and the calendar, of all series',
    hyperparameters: schema(ofWindows),
  },
  gradient_boosting: {
    title: 'Gradient-boosted trees',
    category: 'trees',
    description: 'Trees for each quantile, of last values, seasons and the calendar, of all series and steps',
    hyperparameters: schema({
      ...ofWindows,
      trees: { type: 'integer', minimum: 10, maximum: 500, default: 150, description: 'At most' },
      learning_rate: {
        type: 'number',
        minimum: 0.01,
        maximum: 0.5,
        default: 0.08,
        description: 'Of what a tree says, the share that is taken',
      },
      leaves: {
        type: 'integer',
        minimum: 2,
        maximum: 63,
        default: 15,
        description: 'Ends of a tree at most',
      },
      min_leaf_rows: {
        type: 'integer',
        minimum: 1,
        maximum: 10_000,
        default: 20,
        description: 'Rows at an end of a tree, at least',
      },
      l2: {
        type: 'number',
        minimum: 0,
        maximum: 1_000,
        default: 1,
        description: 'How much ends with few rows are drawn to 0',
      },
      row_share: {
        type: 'number',
        minimum: 0.1,
        maximum: 1,
        default: 1,
        description: 'Of the rows, drawn for each tree',
      },
      feature_share: {
        type: 'number',
        minimum: 0.1,
        maximum: 1,
        default: 0.8,
        description: 'Of the features, drawn for each tree',
      },
      monotone: {
        type: 'object',
        additionalProperties: { enum: [-1, 0, 1] },
        maxProperties: 100,
        default: {},
        description:
          'By feature, as the importance of a report names them: 1 where forecasts must not fall with it, -1 '
          + 'where they must not rise',
      },
    }),
  },
  network: {
    title: 'Network',
    category: 'network',
    description:
      'One hidden layer and a linear path beside it, of last values, seasons and the calendar, of all series '
      + 'and steps',
    hyperparameters: schema({
      ...ofWindows,
      units: {
        type: 'integer',
        minimum: 0,
        maximum: 256,
        default: 32,
        description: 'Of the hidden layer; 0: linear',
      },
      epochs: { type: 'integer', minimum: 1, maximum: 200, default: 40, description: 'At most' },
      learning_rate: {
        type: 'number',
        minimum: 0.0001,
        maximum: 0.1,
        default: 0.005,
        description: 'How far a step of the fit goes, at first',
      },
    }),
  },
} satisfies Readonly<Record<string, Algorithm>>;

export type AlgorithmName = keyof typeof algorithms;
export const ALGORITHM_NAMES = Object.keys(algorithms) as readonly AlgorithmName[];
export const algorithmOf = (name: AlgorithmName): Algorithm => algorithms[name];

/** Whether its models run a graph, a file of their own. */
export const asksGraph = (name: AlgorithmName): boolean =>
  ['trees', 'network'].includes(algorithmOf(name).category);

/** What was given, and the defaults of what was not. */
export const completed = (
  name: AlgorithmName,
  given: Readonly<Record<string, unknown>>,
): Readonly<Record<string, unknown>> => ({
  ...Object.fromEntries(
    Object.entries(algorithmOf(name).hyperparameters.properties).map(([key, each]) => [key, each.default]),
  ),
  ...given,
});
