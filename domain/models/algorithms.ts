// What custom models are fitted by: the baselines of domain/maths/forecasting.

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

const algorithms = {
  naive: {
    title: 'Naive',
    description: 'The last value, with the bands of a random walk',
    hyperparameters: schema(),
  },
  drift: {
    title: 'Drift',
    description: 'The line through the first and the last value, gone on with',
    hyperparameters: schema(),
  },
  seasonal_naive: {
    title: 'Seasonal naive',
    description: 'The last value one season ago',
    hyperparameters: withPeriod(ANY_SEASON),
  },
  theta: {
    title: 'Theta',
    description: 'Exponential smoothing with half the trend as drift, deseasonalised where there is a season',
    hyperparameters: withPeriod(ANY_SEASON),
  },
  ets: {
    title: 'ETS',
    description: 'Exponential smoothing, the form of least AICc of 15; a season of at most 24 steps',
    hyperparameters: withPeriod(24),
  },
  arima: {
    title: 'ARIMA',
    description: 'Seasonal ARIMA, orders by stepwise search; a season of at most 60 steps',
    hyperparameters: withPeriod(60),
  },
} satisfies Readonly<Record<string, Algorithm>>;

export type AlgorithmName = keyof typeof algorithms;
export const ALGORITHM_NAMES = Object.keys(algorithms) as readonly AlgorithmName[];
export const algorithmOf = (name: AlgorithmName): Algorithm => algorithms[name];

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
