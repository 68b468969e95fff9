import type { Standard } from '../statistics/series.js';
import { isStationary } from '../statistics/stationarity.js';
import type { CorrelationPair, CorrelationWarning } from './answer.js';
import type { PreparedVariable } from './prepared.js';

/** What a reader should know of the variables and of what was found between them. */
export function warningsOf(
  series: readonly PreparedVariable[],
  found: readonly CorrelationPair[],
): CorrelationWarning[] {
  const constant = new Set(series.filter(s => s.standard === null).map(s => s.key));
  const trending = new Set(
    series.filter(s => s.standard && !isStationary(withoutGaps(s.standard))).map(s => s.key),
  );
  const pairs = (code: CorrelationWarning['code'], test: (pair: CorrelationPair) => boolean) =>
    found.filter(test).map(({ a, b }) => ({ code, keys: [a, b] }));
  return [
    ...(constant.size > 0 ? [{ code: 'constant', keys: [...constant] } as const] : []),
    ...pairs('insufficient_data', ({ a, b, r }) => r === null && !constant.has(a) && !constant.has(b)),
    ...pairs('both_nonstationary', ({ a, b, r }) => r !== null && trending.has(a) && trending.has(b)),
  ];
}

const withoutGaps = (series: Standard): Standard => ({
  ...series,
  values: series.values.filter(x => !Number.isNaN(x)),
});
