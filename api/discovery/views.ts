import type { TestedSource } from '../../domain/discovery/facts.js';
import { countsOf } from '../../domain/discovery/decider.js';
import { progressOf } from '../../domain/discovery/state.js';
import type { Measured } from '../../domain/edges/facts.js';
import type { EdgeStatus } from '../../domain/goals/ports.js';
import type { ResponseCurve } from '../../domain/maths/effects/answer.js';
import { iso } from '../../domain/time.js';
import type { DiscoveryDoc } from '../../projections/discovery/documents.js';
import type { EdgeDoc } from '../../projections/edges/documents.js';

const time = (ms: number | null): string | null => (ms === null ? null : iso(ms));

/** Whole ones. */
const seconds = (s: number | null): number | null => (s === null ? null : Math.round(s));

type Figures = Omit<Measured, 'responseCurve' | 'response'>;
/** Of an edge of which nothing was measured. */
const NOTHING: Figures = {
  ...{ direction: null, lift: null, liftInterval: null, pValue: null, qValue: null, placeboP: null },
  ...{ nOccurrences: null, optimalLagS: null, halfLifeS: null, halfLifeInterval: null, stability: null },
  ...{ strength: null, relationshipType: null, knownInAdvance: false, confounders: [], confoundedBy: [] },
};

const figuresView = (of: Figures) => ({
  ...{ direction: of.direction, lift: of.lift, lift_interval: of.liftInterval, p_value: of.pValue },
  ...{ q_value: of.qValue, placebo_p: of.placeboP, n_occurrences: of.nOccurrences },
  ...{ optimal_lag_s: seconds(of.optimalLagS), half_life_s: seconds(of.halfLifeS) },
  half_life_interval: of.halfLifeInterval?.map(Math.round) ?? null,
  ...{ stability: of.stability, strength: of.strength, relationship_type: of.relationshipType },
  ...{ known_in_advance: of.knownInAdvance, confounders: of.confounders, confounded_by: of.confoundedBy },
});

const curveView = ({ stepS, scale, preTrendP, points }: ResponseCurve) => ({
  ...{ step_s: Math.round(stepS), scale, pre_trend_p: preTrendP },
  points: points.map(({ offsetS, effect, lower, upper, mean, n }) => ({
    ...{ offset_s: Math.round(offsetS), effect, lower, upper, mean, n },
  })),
});

/** An edge; `bar`: from which importance on its events may begin a shock. */
export function edgeView({ state }: EdgeDoc, bar: number | null) {
  const { measured } = state;
  const curve = measured?.responseCurve ?? null;
  return {
    ...{ edge_id: state.edgeId, goal_id: state.goalId, kind: state.kind, source_key: state.sourceKey },
    status: state.status,
    ...figuresView(measured ?? NOTHING),
    response_curve: curve && curveView(curve),
    effect_peak: measured?.response?.amplitude ?? null,
    weighing: measured?.response?.weighing ?? null,
    ...{ importance_bar: bar, reasons: state.reasons, reason: state.reason },
    ...{ validated_at: time(state.validatedAt), last_checked_at: time(state.lastCheckedAt) },
    ...{ weakening_since: time(state.weakeningSince), found_at: iso(state.foundAt) },
    history: state.history.map(({ at, lift, status }) => ({ at: iso(at), lift, status })),
  };
}

/** A discovery without its results. */
export function discoveryView({ state }: DiscoveryDoc) {
  const { started, began, tested, counts, error } = state;
  const { goalId: goal_id, discoveryId: discovery_id, subject, scope, settings } = started;
  const { tested: count, found, rejected } = counts ?? countsOf([]);
  return {
    ...{ discovery_id, goal_id, status: state.status, kind: started.kind, trigger: started.trigger },
    progress: progressOf(state),
    candidates: began?.sources.length ?? 0,
    ...{ tested: count, found, rejected },
    ...{ queued_at: iso(state.queuedAt), started_at: time(state.startedAt) },
    ...{ finished_at: time(state.finishedAt), as_of: iso(started.asOf) },
    settings: {
      ...{ method: settings.method, alpha: settings.alpha, max_lag_s: settings.maxLagS, seed: settings.seed },
      ...(scope.kind === 'search'
        ? { signals: scope.signals, event_streams: scope.eventStreams, exclude: scope.exclude }
        : { edge_ids: scope.edgeIds }),
      ...{ target: subject.target, step_s: subject.stepS, step_months: subject.stepMonths ?? null },
      timezone: subject.timezone,
      horizon: subject.horizon,
      // What it was answered with: the one reference that errors are taken from, and how often it was drawn
      ...(tested && {
        ...{ reference: tested.used.reference, level_gain: tested.used.levelGain },
        ...{ periods: tested.used.periods, scale: tested.used.scale, steps: tested.used.steps },
        ...{ max_lag: tested.used.maxLag, placebos: tested.used.placebos },
        ...{ bootstraps: tested.used.bootstraps, folds: tested.used.folds },
      }),
    },
    warnings: tested?.warnings ?? [],
    multiple_testing: {
      ...{ method: 'benjamini_hochberg', alpha: settings.alpha, tests: tested?.tests ?? 0 },
    },
    error,
  };
}

/** What a discovery found of a source; `statuses`: those of the goal's edges now. */
const resultView =
  (goal_id: string, statuses: ReadonlyMap<string, EdgeStatus>) =>
  ({ edgeId, kind, sourceKey, verdict, reasons, measured }: TestedSource) => ({
    ...{ edge_id: edgeId, goal_id, kind, source_key: sourceKey, verdict },
    status: edgeId === null ? null : (statuses.get(edgeId) ?? null),
    ...figuresView(measured),
    reasons,
  });

/** With its results: what was validated first, then by lift. */
export function wholeView(
  doc: DiscoveryDoc,
  results: readonly TestedSource[],
  statuses: ReadonlyMap<string, EdgeStatus>,
) {
  const ORDER = { validated: 0, candidate: 1, rejected: 2, untested: 3 } as const;
  const sorted = [...results].sort(
    (a, b) => ORDER[a.verdict] - ORDER[b.verdict] || (b.measured.lift ?? 0) - (a.measured.lift ?? 0),
  );
  return { ...discoveryView(doc), results: sorted.map(resultView(doc.goal_id, statuses)) };
}
