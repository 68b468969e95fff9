import type { KnownEdge } from '../../domain/edges/state.js';

/** Whole ones, as pages of edges have them. */
const seconds = (s: number | null = null): number | null => (s === null ? null : Math.round(s));

/** An edge by the names of the API, as far as the analyst tells of it. */
export const edgeShown = ({ edgeId, kind, sourceKey, status, measured, reasons, reason }: KnownEdge) => ({
  ...{ edge_id: edgeId, kind, source_key: sourceKey, status, reasons, reason },
  ...{ direction: measured?.direction ?? null, lift: measured?.lift ?? null },
  ...{ n_occurrences: measured?.nOccurrences ?? null, optimal_lag_s: seconds(measured?.optimalLagS) },
  half_life_s: seconds(measured?.halfLifeS),
  effect_peak: measured?.response?.amplitude ?? null,
});
