import { nelderMead } from '../../../statistics/nelder-mead.js';
import { ERROR_FLOOR, LIKELIHOOD_TOLERANCE } from '../precision.js';
import { filter, type Arma } from './likelihood.js';
import { fromPartials, product, rootsBeyond } from './polynomials.js';

/**
 * Orders of the autoregression and the moving average, of the season's (P, Q), and whether there is a
 * constant.
 */
export type Orders = {
  readonly p: number;
  readonly q: number;
  readonly P: number;
  readonly Q: number;
  readonly constant: boolean;
};

export type ArimaFit = {
  readonly orders: Orders;
  readonly arma: Arma;
  /**
   * The mean of the differenced series, and the variance of the errors with a degree of freedom for each
   * coefficient.
   */
  readonly mean: number;
  readonly variance: number;
  readonly state: Float64Array;
  readonly aicc: number;
};

/**
 * Roots this close to the unit circle are those of a model that should have been differenced once more, or
 * once less.
 */
const CLOSEST_ROOT = 1.01;
/** So often is the likelihood asked at most in each of two searches, and more for each coefficient. */
const EVALUATIONS = 200;
const EVALUATIONS_EACH = 100;

/**
 * The model of these orders with the greatest exact likelihood, for a differenced series without gaps. The
 * search goes over partial autocorrelations, so that all it meets is stationary and invertible (Monahan
 * 1984). null where the series is too short, or a root of the best is too near to the unit circle.
 */
export function fit(orders: Orders, values: Float64Array, period: number): ArimaFit | null {
  const { p, q, P, Q, constant } = orders;
  const n = values.length;
  const coefficients = p + q + P + Q + (constant ? 1 : 0);
  const k = coefficients + 1; // the variance is one more
  if (n - k - 1 <= 0) return null;
  const { middle, unit, floor } = measuresOf(values);
  const at = (u: Float64Array) => {
    const arma = armaOf(orders, u, period);
    const mean = constant ? middle + unit * u[coefficients - 1]! : 0;
    const filtered = filter(arma, constant ? values.map(x => x - mean) : values);
    const squares = Math.max(floor, filtered?.squares ?? NaN);
    return {
      arma,
      mean,
      squares,
      state: filtered?.state,
      loss: n * Math.log(squares / n) + (filtered?.logs ?? NaN),
    };
  };
  const evaluations = EVALUATIONS + EVALUATIONS_EACH * coefficients;
  const search = (start: Float64Array, size: number): Float64Array =>
    nelderMead(u => at(u).loss, start, { size, evaluations, within: LIKELIHOOD_TOLERANCE }).at;
  const best = at(search(search(new Float64Array(coefficients), 0.5), 0.1));
  if (!best.state || !Number.isFinite(best.loss)) return null;
  const apart =
    rootsBeyond(CLOSEST_ROOT, best.arma.phi)
    && rootsBeyond(
      CLOSEST_ROOT,
      best.arma.theta.map(c => -c),
    );
  if (!apart) return null;
  const aic = best.loss + n * (1 + Math.log(2 * Math.PI)) + 2 * k;
  return {
    orders,
    arma: best.arma,
    mean: best.mean,
    state: best.state,
    variance: best.squares > floor ? best.squares / (n - coefficients) : 0,
    aicc: aic + (2 * k * (k + 1)) / (n - k - 1),
  };
}

/**
 * The model that numbers of the search stand for: the hyperbolic tangent of each is a partial
 * autocorrelation.
 */
function armaOf({ p, q, P, Q }: Orders, u: Float64Array, period: number): Arma {
  const part = (from: number, count: number): Float64Array =>
    fromPartials(u.slice(from, from + count).map(Math.tanh));
  return {
    phi: product(part(0, p), part(p + q, P), period),
    theta: product(part(p, q), part(p + q + P, Q), period).map(c => -c),
  };
}

/** The mean of the values, a unit to search around it in, and the sum of squares that is rounding. */
function measuresOf(values: Float64Array): { middle: number; unit: number; floor: number } {
  const n = values.length;
  const middle = values.reduce((sum, x) => sum + x / n, 0);
  const largest = values.reduce((most, x) => Math.max(most, Math.abs(x)), 0) || 1;
  const unit = Math.sqrt(values.reduce((sum, x) => sum + (x - middle) ** 2, 0)) / n;
  return { middle, unit: unit || largest, floor: n * (ERROR_FLOOR * largest) ** 2 };
}
