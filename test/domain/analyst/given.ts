import type { Source } from '../../../domain/analyst/fact.js';
import type { Situation } from '../../../domain/analyst/situation.js';
import { HEALTH_REASONS } from '../../../domain/goals/facts.js';
import { EDGE_STATUSES } from '../../../domain/goals/ports.js';
import { GOAL_STATUSES } from '../../../domain/goals/state.js';
import type { Random } from '../../random.js';

const names = ['Sales', 'Zone 7', 'plant-2.output', 'presage nano', 'mean of 3', 'news', 'eu.1__de', '99.5'];
const HOUR = 3_600_000;

/** A goal of which more or less is known, with numbers of all sizes and names with digits in them. */
export function situationOf(random: Random): Situation {
  const name = (): string => random.pick(names);
  const value = (): number => (random.next() - 0.5) * 10 ** random.below(12) * 10 ** -random.below(8);
  const share = (): number => random.next();
  const maybe = <T>(made: T): T | null => (random.chance(0.3) ? null : made);
  const ts = (at: number): string => new Date(at).toISOString();
  const forecast = (id: string, at: number): Source => ({
    ...{ kind: 'forecast', id },
    shown: {
      ...{ forecast_id: id, issued_at: ts(at), served_by: random.pick(['champion', 'seasonal_naive']) },
      points: Array.from({ length: random.below(4) }, (_, h) => ({
        ...{ ts: ts(at + h * HOUR), mean: value() },
        quantiles: random.chance(0.5) ? { '0.1': value(), '0.9': value() } : { '0.5': value() },
      })),
      model: { name: name() },
      shock_state: random.pick(['normal', 'shock', 'recovering']),
      metadata: {
        ...{ data_cutoff: ts(at), lookback_used: random.below(5_000), filled_points: random.below(9) },
        calibration: { level: 0.8 },
        applied_events: Array.from({ length: random.below(5) }, () => ({
          ...{ stream: name(), occurred_at: at, effect_peak: value() },
        })),
        shock: maybe({ remaining: share(), band_factor: 1 + share() }),
      },
    },
  });
  const reasons = () =>
    Array.from({ length: random.below(3) }, () => ({ code: 'no_lift', text: `lift ${value()}` }));
  const edge = (id: string): Source => ({
    ...{ kind: 'edge', id },
    shown: {
      ...{ source_key: name(), kind: random.pick(['signal', 'event_stream']) },
      ...{
        status: random.pick(EDGE_STATUSES),
        lift: maybe(share() - 0.2),
        n_occurrences: maybe(random.below(99)),
      },
      ...{ optimal_lag_s: maybe(random.below(900_000)), half_life_s: maybe(random.below(90_000)) },
      effect_peak: maybe(value()),
      ...{ reasons: reasons(), reason: maybe('Its lift is 0.02') },
    },
  });
  const test = (id: string): Source => ({
    ...{ kind: 'discovery', id },
    shown: {
      finished_at: ts(at),
      results: Array.from({ length: random.below(4) }, () => ({
        ...{ source_key: name(), kind: random.pick(['signal', 'event_stream']) },
        ...{ verdict: random.pick(['rejected', 'untested']), reasons: reasons() },
      })),
    },
  });
  const at = Date.UTC(2026, 0, 5) + random.below(1_000) * HOUR;
  const hasForecasts = random.chance(0.8);
  return {
    goal: {
      ...{ kind: 'goal', id: 'goa_1' },
      shown: {
        ...{ name: name(), target: name(), status: random.pick(GOAL_STATUSES) },
        ...{ health: random.pick(['ok', 'attention', 'failing']) },
        options: { calibration: random.pick(['conformal', 'model']) },
        health_reasons: HEALTH_REASONS.filter(() => random.chance(0.2)),
        accuracy: {
          ...{ metric: 'crps', value_7d: maybe(share()), value_30d: maybe(value()) },
          ...{ skill_vs_naive: maybe(value()), coverage_80_30d: maybe(share()) },
          graded_steps: random.below(3) * random.below(90),
        },
        shock_state: random.pick(['shock', 'recovering']),
        shock: maybe({
          causes: [{ stream: name(), occurred_at: at, removed: random.pick([null, 'edge', 'event']) }],
        }),
      },
    },
    latest: hasForecasts ? forecast('fct_2', at + HOUR) : null,
    previous: hasForecasts && random.chance(0.7) ? forecast('fct_1', at) : null,
    edges: Array.from({ length: random.below(7) }, (_, i) => edge(`edg_${i}`)),
    idle: Array.from({ length: random.below(3) }, (_, i) => edge(`edg_idle_${i}`)),
    tests: Array.from({ length: random.below(3) }, (_, i) => test(`dsc_${i}`)),
    target: maybe({
      ...{ kind: 'signal', id: 'sales' },
      shown: { key: name(), count: random.below(9_999), first_at: ts(at), last_at: ts(at) },
    }),
    tournament: maybe({
      ...{ kind: 'tournament', id: 'trm_1' },
      shown: { decision: { result: 'kept', reason: 'score 1.25 against 1.5' } },
    }),
  };
}
