import { fit, type ArimaFit, type Orders } from './fit.js';

const MOST_ORDER = 5;
const MOST_SEASONAL = 2;
/** Fits at most; the search ends by itself long before. */
const MOST_FITS = 94;

/**
 * The orders of the least AICc by the stepwise search of Hyndman and Khandakar (2008), "Automatic time series
 * forecasting: the forecast package for R": from a few simple models to a better neighbour, until none is
 * better. p and q up to 5, P and Q up to 2, none reaching back over more than a third of the series
 * (`length`, before it was differenced); a constant only where `constant` allows it. null where nothing fits.
 * With `among` only these are fitted, within the same limits; where none of them fits it searches.
 */
export function search(
  values: Float64Array,
  length: number,
  period: number,
  constant: boolean,
  among: readonly Orders[] = [],
): ArimaFit | null {
  const most = orderLimits(length, period);
  const seen = new Set<string>();
  const within = ({ p, q, P, Q }: Orders): boolean =>
    Math.min(p, q, P, Q) >= 0 && Math.max(p, q) <= most.order && Math.max(P, Q) <= most.seasonal;
  let best: ArimaFit | null = null;
  const isBetter = (orders: Orders): boolean => {
    const key = JSON.stringify(orders);
    if (seen.has(key) || seen.size >= MOST_FITS || !within(orders)) return false;
    seen.add(key);
    const found = fit(orders, values, period);
    if (!found || (best && found.aicc >= best.aicc)) return false;
    best = found;
    return true;
  };
  for (const { p, q, P, Q, constant: has } of among)
    isBetter({
      ...{ p: Math.min(p, most.order), q: Math.min(q, most.order) },
      ...{ P: Math.min(P, most.seasonal), Q: Math.min(Q, most.seasonal), constant: has && constant },
    });
  if (best) return best;
  for (const start of startsOf(most, constant)) isBetter(start);
  while (best && neighboursOf((best as ArimaFit).orders, constant).some(isBetter)) {
    /* on from the better one */
  }
  return best;
}

type OrderLimits = { readonly order: number; readonly seasonal: number };

function orderLimits(length: number, period: number): OrderLimits {
  const seasonal = period > 1 ? Math.min(MOST_SEASONAL, Math.floor(length / 3 / period)) : 0;
  return { order: Math.min(MOST_ORDER, Math.floor(length / 3), seasonal ? period - 1 : Infinity), seasonal };
}

function startsOf({ order, seasonal }: OrderLimits, constant: boolean): Orders[] {
  const one = Math.min(1, order);
  const two = Math.min(2, order);
  const season = Math.min(1, seasonal);
  return [
    { p: two, q: two, P: season, Q: season, constant },
    { p: 0, q: 0, P: 0, Q: 0, constant },
    { p: one, q: 0, P: season, Q: 0, constant },
    { p: 0, q: one, P: 0, Q: season, constant },
    { p: 0, q: 0, P: 0, Q: 0, constant: false },
  ];
}

/** One order more or less, or two of a kind, or the constant put in or left out. */
function neighboursOf(orders: Orders, mayHaveConstant: boolean): Orders[] {
  const by = (p: number, q: number, P: number, Q: number): Orders => ({
    p: orders.p + p,
    q: orders.q + q,
    P: orders.P + P,
    Q: orders.Q + Q,
    constant: orders.constant,
  });
  const seasonal = [
    [0, -1],
    [-1, 0],
    [0, 1],
    [1, 0],
    [-1, -1],
    [-1, 1],
    [1, -1],
    [1, 1],
  ] as const;
  return [
    ...seasonal.map(([P, Q]) => by(0, 0, P, Q)),
    ...seasonal.map(([p, q]) => by(p, q, 0, 0)),
    ...(mayHaveConstant ? [{ ...orders, constant: !orders.constant }] : []),
  ];
}
