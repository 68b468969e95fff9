import { nelderMead, type Minimum } from '../../../statistics/nelder-mead.js';
import { seasonalFigures } from '../decomposition.js';
import { filled } from '../gaps.js';
import { LIKELIHOOD_TOLERANCE } from '../precision.js';
import { run, type Form, type Run, type State, type Weights } from './model.js';

export type EtsFit = Run & {
  readonly form: Form;
  readonly weights: Weights;
  /** The state before the first value. */
  readonly start: State;
  readonly parameters: number;
  readonly aicc: number;
};

/**
 * The likelihood is asked at most so often for each form: a third from each start, and a third from the
 * better end.
 */
const EVALUATIONS = 3_000;
/** The range of alpha, and of what beta and gamma are of theirs; and that of phi. */
const WEIGHT = [1e-4, 0.9999] as const;
const DAMPING = [0.8, 0.98] as const;

/**
 * The model of one form with the greatest likelihood, over its weights (beta below alpha, gamma below 1 -
 * alpha) and its first state. The figures of the season sum to 0, or have mean 1. null where the series is
 * too short for AICc.
 */
export function fit(form: Form, values: Float64Array, period: number): EtsFit | null {
  const count = values.reduce((n, value) => n + (Number.isNaN(value) ? 0 : 1), 0);
  const parameters = parametersOf(form, period);
  if (count - parameters - 2 <= 0) return null; // the variance is one more
  const guess = guessOf(form, values, period);
  const largest = values.reduce((most, x) => Math.max(most, Math.abs(x) || 0), 0);
  const at = (u: Float64Array): Run =>
    run(form, weightsOf(form, u), stateOf(form, u, guess), values, largest);
  const search = (start: Float64Array, size: number): Minimum =>
    nelderMead(u => at(u).loss, start, { size, evaluations: EVALUATIONS / 3, within: LIKELIHOOD_TOLERANCE });
  const [slow, quick] = STARTS.map(weights => {
    const start = new Float64Array(parameters);
    start.set(weights.slice(0, weightsIn(form)));
    return search(start, 1);
  }) as [Minimum, Minimum];
  const { at: best } = search((quick.value < slow.value ? quick : slow).at, 0.5);
  const found = at(best);
  const k = parameters + 1;
  if (!Number.isFinite(found.loss)) return null;
  const aicc = found.loss + 2 * k + (2 * k * (k + 1)) / (count - k - 1);
  const start = stateOf(form, best, guess);
  return { ...found, form, weights: weightsOf(form, best), start, parameters, aicc };
}

const weightsIn = ({ trend, season }: Form): number =>
  1 + { N: 0, A: 1, Ad: 2 }[trend] + (season === 'N' ? 0 : 1);
const parametersOf = (form: Form, period: number): number =>
  weightsIn(form) + 1 + (form.trend === 'N' ? 0 : 1) + (form.season === 'N' ? 0 : period - 1);

/** Where the search begins, on the scale of `within`: with little taken of each error, and with much. */
const STARTS = [
  [-1, -2, -2, 2],
  [2, -1, -2, 2],
];

const within = ([low, high]: readonly [number, number], u: number): number =>
  low + (high - low) / (1 + Math.exp(-u));

/** The weights in the order alpha, beta, phi, gamma, those of the form only. */
function weightsOf({ trend, season }: Form, u: Float64Array): Weights {
  let next = 0;
  const alpha = within(WEIGHT, u[next++]!);
  const beta = trend === 'N' ? 0 : alpha * within(WEIGHT, u[next++]!);
  const phi = trend === 'Ad' ? within(DAMPING, u[next++]!) : Number(trend === 'A');
  const gamma = season === 'N' ? 0 : (1 - alpha) * within(WEIGHT, u[next++]!);
  return { alpha, beta, gamma, phi };
}

/** A first state, and how much one unit of the search changes its parts. */
type Guess = State & { readonly unit: number; readonly figureUnit: number };

function stateOf(form: Form, u: Float64Array, guess: Guess): State {
  let next = weightsIn(form);
  const level = guess.level + guess.unit * u[next++]!;
  const slope = form.trend === 'N' ? 0 : guess.slope + (guess.unit / 10) * u[next++]!;
  if (form.season === 'N') return { level, slope, season: guess.season };
  const last = guess.season.length - 1;
  const free = guess.season.slice(0, last).map(figure => figure + guess.figureUnit * u[next++]!);
  const sum = free.reduce((sum, figure) => sum + figure, 0);
  const season = new Float64Array(last + 1);
  season.set(free);
  season[last] = (form.season === 'M' ? last + 1 : 0) - sum;
  return { level, slope, season };
}

/**
 * Figures of the classical decomposition, level and slope of the line through the first values without them.
 */
function guessOf(form: Form, values: Float64Array, period: number): Guess {
  const whole = filled(values, form.season === 'N' ? 1 : period);
  const season =
    form.season === 'N'
      ? Float64Array.of(0)
      : seasonalFigures(whole, period, form.season === 'M' ? 'multiplicative' : 'additive');
  const early = whole
    .slice(0, Math.max(10, 2 * season.length))
    .map((value, t) =>
      form.season === 'M' ? value / season[t % season.length]! : value - season[t % season.length]!,
    );
  const middle = (early.length - 1) / 2;
  const mean = early.reduce((sum, x) => sum + x, 0) / early.length;
  const slope =
    early.reduce((sum, x, t) => sum + (t - middle) * x, 0)
    / early.reduce((sum, _, t) => sum + (t - middle) ** 2, 0);
  const off = early.map((x, t) => x - mean - (t - middle) * slope);
  const unit = Math.sqrt(off.reduce((sum, x) => sum + x * x, 0) / early.length) || Math.abs(mean) || 1;
  const level = form.trend === 'N' ? mean : mean - (middle + 1) * slope;
  return { level, slope, season, unit, figureUnit: form.season === 'M' ? unit / Math.abs(mean) : unit };
}
