import type { AddedUp } from '../../commands/fleets/adding-up.js';
import type { Node } from '../../domain/fleets/nodes.js';
import type { FleetSettings, Level } from '../../domain/fleets/settings.js';
import { isLive, statusOf, type LiveFleet } from '../../domain/fleets/state.js';
import { GOAL_STATUSES } from '../../domain/goals/state.js';
import { iso } from '../../domain/time.js';
import type { FleetDoc } from '../../projections/fleets/documents.js';
import { versionedTag } from '../edge/versions.js';
import type { Member } from './deps.js';
import { ranked, spreadOf } from './members.js';
import { templateView } from './settings.js';

/** So many of the worst goals are shown with a fleet. */
const WORST = 5;

/** How many of the goals that are to be made are through, 0 to 1. */
export const progressOf = ({ work, todo, planned }: LiveFleet): number => {
  if (work === 'plan') return 0;
  return work === 'make' ? (planned - todo.length) / planned : 1;
};

export const memberView = (
  { goalId, entity, name, status, champion, value, skill, coverage, n }: Member,
  rank: number,
) => ({
  ...{ rank, goal_id: goalId, entity, name, status, champion: champion?.name ?? null },
  ...{ value_30d: value, skill_vs_naive: skill, coverage_80_30d: coverage, graded_steps: n },
});

const levelView = ({ name, groupBy }: Level) => ({ name, group_by: groupBy });
const settingsView = ({ entities, template, reconciliation, ...settings }: FleetSettings) => ({
  ...{ name: settings.name, base_key: settings.baseKey, entities, template: templateView(template) },
  reconciliation: { method: reconciliation.method, levels: reconciliation.levels.map(levelView) },
  ...{ shared_pipeline: settings.sharedPipeline, max_goals: settings.maxGoals },
  ...{ auto_sync: settings.autoSync, skip_discovery: template.skipsDiscovery },
});

/** A fleet, and how its goals do. */
export function fleetView(doc: FleetDoc, members: readonly Member[], shocks: number) {
  const { state } = doc;
  const best = ranked(members);
  const judged = best.filter(({ skill }) => skill !== null);
  const worst = judged.slice(-WORST).reverse();
  const counts = GOAL_STATUSES.map(
    status => [status, members.filter(member => member.status === status).length] as const,
  );
  const view = {
    fleet_id: doc.fleet_id,
    ...settingsView(state.settings),
    ...{ status: statusOf(state), progress: progressOf(state) },
    goal_counts: Object.fromEntries(counts),
    failures: state.failed,
    entities_beyond: state.beyond,
    shock_count: shocks,
    accuracy: {
      metric: state.settings.template.metric,
      ...spreadOf(best.map(({ value }) => value)),
      skill_vs_naive: spreadOf(best.map(({ skill }) => skill)),
      goals: best.filter(({ n }) => n > 0).length,
    },
    worst: worst.map(member => memberView(member, best.indexOf(member) + 1)),
    ...{ owner: state.owner, version: state.version },
    ...{ created_at: iso(doc.created_at), updated_at: iso(doc.updated_at) },
  };
  return { view, etag: versionedTag(state.version, view) };
}

/** As read models show it, or as it would be. */
export const standingOf = (doc: FleetDoc | null) =>
  doc && isLive(doc.state) ? { status: doc.status, progress: progressOf(doc.state) } : null;

const byLevel = (levels: readonly number[], columns: readonly Float64Array[], step: number) =>
  Object.fromEntries(levels.map((level, k) => [String(level), columns[k]![step]!]));

export const nodeView = (
  { id, goalId, entities, mean, quantiles, own }: Node,
  { window: { times, levels } }: AddedUp,
) => ({
  ...{ id, goal_id: goalId, entities },
  points: times.map((time, h) => ({
    ...{ ts: iso(time), mean: mean[h]!, quantiles: byLevel(levels, quantiles, h) },
    own_quantiles: own && byLevel(levels, own, h),
  })),
});
