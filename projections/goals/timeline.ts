import type { Fact, Message } from '../../domain/fact.js';
import type { GoalForecastMissed } from '../../domain/forecasts/facts.js';
import type { GoalFact } from '../../domain/goals/facts.js';
import { healthOf } from '../../domain/goals/health.js';
import type { Champion } from '../../domain/goals/model.js';
import type { GoalSettings } from '../../domain/goals/settings.js';
import type {
  TournamentCancelled,
  TournamentCompleted,
  TournamentFailed,
  TournamentStarted,
} from '../../domain/tournaments/facts.js';
import type {
  BlendRefitted,
  ShockCauseRemoved,
  ShockDeepened,
  ShockEntered,
  ShockExited,
  ShockRecovering,
} from '../../domain/shocks/facts.js';
import type { GoalRevised } from '../../domain/revisions/facts.js';
import { iso } from '../../domain/time.js';
import { ofAlerts } from './alerts-told.js';
import { ofDiscoveries } from './discoveries-told.js';
import type { GoalDoc, HappeningDoc } from './documents.js';
import { ofScenarios } from './scenarios-told.js';

/** Facts of others that are told of a goal: they name it. */
export type OfGoal = Message<string, { readonly goalId: string }>;
type Told = Pick<HappeningDoc, 'kind' | 'data'>;
/** `before`: the goal before the fact. */
type Tell<F extends OfGoal> = (data: F['data'], before: GoalDoc | null) => Told;

const told = (kind: string, data: Told['data'] = {}): Told => ({ kind, data });
const nameOf = (champion: Champion | null): string | null => champion?.name ?? null;
const championsOf = (data: { readonly champion: Champion | null; readonly runnerUp: Champion | null }) => ({
  ...{ champion: nameOf(data.champion), runner_up: nameOf(data.runnerUp) },
});

const ofGoals: { readonly [T in GoalFact['type']]: Tell<Extract<GoalFact, { type: T }>> } = {
  GoalCreated: ({ settings }) => told('goal.created', { name: settings.name, target: settings.target }),
  GoalChanged: ({ settings }, before) =>
    told('goal.changed', { changed: before ? differences(before.state.settings, settings) : [] }),
  GoalActivated: ({ skipsDiscovery }) => told('goal.activating', { skip_discovery: skipsDiscovery }),
  GoalDiscovered: ({ discoveryId, failed }) => told('goal.discovered', { discovery_id: discoveryId, failed }),
  GoalWentActive: data => told('goal.activated', championsOf(data)),
  GoalChampionChanged: data =>
    told('goal.champion_changed', { ...championsOf(data), by: data.by, reason: data.reason }),
  GoalPaused: () => told('goal.paused'),
  GoalResumed: () => told('goal.resumed'),
  GoalArchived: () => told('goal.archived'),
  GoalRestored: () => told('goal.restored'),
  GoalDeleted: () => told('goal.deleted'),
  GoalHealthChanged: ({ reasons }) =>
    told('goal.health_changed', { health: healthOf(reasons), health_reasons: reasons }),
};

/** What is told of facts of the areas that are built on goals. */
const ofOthers: Readonly<Record<string, Tell<never>>> = {
  GoalForecastMissed: ({ dueAt, lastDueAt, beats, code, message }: GoalForecastMissed['data']) =>
    told('forecast.missed', { due_at: iso(dueAt), last_due_at: iso(lastDueAt), beats, code, message }),
  ...ofDiscoveries,
  TournamentStarted: ({ tournamentId, trigger }: TournamentStarted['data']) =>
    told('tournament.started', { tournament_id: tournamentId, trigger }),
  TournamentCompleted: ({ tournamentId, decision, championAfter }: TournamentCompleted['data']) =>
    told('tournament.completed', {
      ...{ tournament_id: tournamentId, decision: decision.result, champion: nameOf(championAfter) },
    }),
  TournamentFailed: ({ tournamentId, code, message }: TournamentFailed['data']) =>
    told('tournament.failed', { tournament_id: tournamentId, code, message }),
  TournamentCancelled: ({ tournamentId }: TournamentCancelled['data']) =>
    told('tournament.cancelled', { tournament_id: tournamentId }),
  ShockEntered: data => told('goal.shock_entered', causeOf(data)),
  ShockDeepened: (data: ShockDeepened['data']) =>
    told('goal.shock_deepened', { ...causeOf(data), depth: data.depth }),
  ShockCauseRemoved: ({ episodeId, eventId, gone }: ShockCauseRemoved['data']) =>
    told('goal.shock_cause_removed', { episode_id: episodeId, event_id: eventId, gone }),
  ShockRecovering: ({ episodeId, reason, note }: ShockRecovering['data']) =>
    told('goal.shock_recovering', { episode_id: episodeId, reason, note }),
  ShockExited: ({ episodeId, reason, depth, grade }: ShockExited['data']) =>
    told('goal.shock_exited', {
      ...{ episode_id: episodeId, reason, depth, graded_steps: grade.steps },
      ...{ blend_loss: grade.blendLoss, champion_loss: grade.championLoss },
    }),
  BlendRefitted: ({ episodeId, phase, before, after, evidence }: BlendRefitted['data']) =>
    told('goal.blend_refit', {
      ...{ episode_id: episodeId, phase, old_weights: before, new_weights: after },
      evidence: {
        ...{ from: iso(evidence.from), to: iso(evidence.to) },
        ...{ fitted: evidence.fitted, held_out: evidence.heldOut },
        ...{ loss_before: evidence.lossBefore, loss_after: evidence.lossAfter },
        champion_loss: evidence.championLoss,
      },
    }),
  GoalRevised: ({ revisionId, rowsChanged, scoreBefore, scoreAfter }: GoalRevised['data']) =>
    told('goal.revised', {
      ...{ revision_id: revisionId, rows_changed: rowsChanged },
      ...{ score_before: scoreBefore, score_after: scoreAfter },
    }),
  ...ofAlerts,
  ...ofScenarios,
};

const causeOf = ({ episodeId, cause, bar, scheduled }: ShockEntered['data']): Told['data'] => ({
  ...{ episode_id: episodeId, event_id: cause.eventId, stream: cause.stream, edge_id: cause.edgeId },
  ...{ importance: cause.importance, importance_bar: bar, scheduled },
});

export const goalFacts = Object.keys(ofGoals) as readonly GoalFact['type'][];
export const otherFacts = Object.keys(ofOthers);

/** What a fact is to a goal's timeline. */
export function happening(
  { id, type, data, at, position, meta }: Fact<OfGoal>,
  ids: { readonly _id: string; readonly goal: string },
  before: GoalDoc | null,
): HappeningDoc {
  const tell = { ...ofGoals, ...ofOthers }[type] as Tell<OfGoal> | undefined;
  if (!tell) throw new Error(`nothing is told of ${type} (${id})`);
  return { ...ids, ...tell(data, before), at, position, actor: meta.actor };
}

/** Names of the API, where a setting has another one there. */
const NAMES: Readonly<Record<string, string>> = {
  objectiveParams: 'objective_params',
  stepS: 'step_s',
  stepMonths: 'step_months',
  cadenceS: 'cadence_s',
  segmentId: 'segment_id',
  pipelineId: 'pipeline_id',
};
const differences = (before: GoalSettings, after: GoalSettings): string[] =>
  (Object.keys(after) as (keyof GoalSettings)[])
    .filter(name => JSON.stringify(before[name]) !== JSON.stringify(after[name]))
    .map(name => NAMES[name] ?? name);
