import { HEALTH_REASONS, type HealthReason } from './facts.js';

export const HEALTHS = ['ok', 'attention', 'failing'] as const;
export type Health = (typeof HEALTHS)[number];

/** Without data there is nothing to forecast from. */
const FAILING: ReadonlySet<HealthReason> = new Set(['target_stale']);

export function healthOf(reasons: readonly HealthReason[]): Health {
  if (reasons.length === 0) return 'ok';
  return reasons.some(reason => FAILING.has(reason)) ? 'failing' : 'attention';
}

/** The reasons that hold after a change of them, each once, in the order of `HEALTH_REASONS`. */
export const reasonsAfter = (
  before: readonly HealthReason[],
  add: readonly HealthReason[],
  remove: readonly HealthReason[],
): readonly HealthReason[] =>
  HEALTH_REASONS.filter(
    reason => (before.includes(reason) && !remove.includes(reason)) || add.includes(reason),
  );
