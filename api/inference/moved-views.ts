import type { Calibration } from '../../domain/inference/forecasting.js';
import type { AppliedEvent, Moves, ShockBlend } from '../../domain/inference/moves.js';
import { iso } from '../../domain/time.js';

export const calibrationView = ({ method, level, coverageRecent, n, widenedBy }: Calibration) => ({
  method,
  level,
  coverage_recent: coverageRecent,
  n,
  widened_by: widenedBy,
});

const meanOf = (numbers: readonly number[]): number =>
  numbers.reduce((sum, x) => sum + x, 0) / numbers.length;

/** The goal's own record as soon as it has one; before, what past forecasts of the series say. */
export function recordView(calibration: Calibration, { record, widened }: Pick<Moves, 'record' | 'widened'>) {
  const isOwn = record.n > 0;
  const series = calibrationView(calibration);
  return {
    method: isOwn && widened.some(factor => factor !== 1) ? ('conformal' as const) : series.method,
    level: series.level,
    coverage_recent: isOwn ? record.coverage : series.coverage_recent,
    n: isOwn ? record.n : series.n,
    widened_by: series.widened_by * meanOf(widened),
    by_step: widened,
  };
}

export const appliedView = (event: AppliedEvent) => ({
  ...{ event_id: event.eventId, stream: event.stream, occurred_at: event.occurredAt, edge_id: event.edgeId },
  ...{ offset_s: Math.round(event.offsetS), weight: event.weight, effect_peak: event.effectPeak },
});

export const shockView = (shock: ShockBlend) => ({
  state: shock.state,
  since: iso(shock.since),
  weights: shock.weights,
  remaining: shock.remaining,
  band_factor: shock.bandFactor,
  band_factors: shock.bandFactors ?? shock.components.champion.map(() => shock.bandFactor),
  episode_id: shock.episodeId,
  components: shock.components,
});
