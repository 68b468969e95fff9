import { fold } from '../../../domain/decider.js';
import type { GoalCommand } from '../../../domain/goals/commands.js';
import { goals } from '../../../domain/goals/decider.js';
import type { GoalFact } from '../../../domain/goals/facts.js';
import { SEASONAL_NAIVE, type Champion } from '../../../domain/goals/model.js';
import type { GoalSettings } from '../../../domain/goals/settings.js';
import type { GoalState } from '../../../domain/goals/state.js';
import { Rejected } from '../../../domain/rejected.js';
import { stored } from '../../spec.js';

export const of = { workspace: 'w', goalId: 'goa_1' } as const;
/** A moment of November 2026, epoch ms. */
export const NOW = Date.UTC(2026, 10, 23, 12);

export const settings = (over: Partial<GoalSettings> = {}): GoalSettings => ({
  ...{ name: 'Orders', description: '', target: 'shop.orders', objective: 'forecast', objectiveParams: {} },
  ...{ horizon: 24, stepS: 3_600, cadenceS: 3_600, timezone: 'UTC', metric: 'crps', tags: [] },
  candidates: { signals: 'all', eventStreams: 'all', exclude: [] },
  options: {
    ...{ scheduledEvents: true, shockEnabled: true, importanceBar: null, autoDiscovery: 'off' },
    ...{ autoTournament: 'off', quantiles: [0.1, 0.5, 0.9], calibration: 'conformal' },
    ...{ maxCreditPerMonth: null, fallback: 'seasonal_naive' },
  },
  ...{ segmentId: null, pipelineId: null },
  ...over,
});
export const champion = (name: string): Champion => ({
  ...{ model: SEASONAL_NAIVE, name, score: 1, since: NOW, tournamentId: 'trm_1' },
});
export const create: GoalCommand = {
  type: 'CreateGoal',
  data: { ...of, settings: settings(), owner: 'usr_1', fleetId: null },
};
export const activate = (skipsDiscovery = true): GoalCommand => ({
  type: 'ActivateGoal',
  data: { ...of, skipsDiscovery },
});
export const competed = (name: string | null): GoalCommand => ({
  type: 'NoteCompeted',
  data: { ...of, champion: name === null ? null : champion(name), runnerUp: null },
});
export const discovered = (failed = false): GoalCommand => ({
  type: 'NoteDiscovered',
  data: { ...of, discoveryId: 'dsc_1', failed },
});
export const change = (over: Partial<GoalSettings>, seen: number | null = null): GoalCommand => ({
  type: 'ChangeGoal',
  data: { ...of, settings: settings(over), seen },
});
export const crown = (name: string): GoalCommand => ({
  type: 'ChangeChampion',
  data: { ...of, champion: champion(name), runnerUp: null, by: 'policy', reason: 'better' },
});
export const move = (type: 'PauseGoal' | 'ResumeGoal' | 'ArchiveGoal' | 'RestoreGoal'): GoalCommand => ({
  type,
  data: of,
});
export const remove = (seen: number | null = null): GoalCommand => ({
  type: 'DeleteGoal',
  data: { ...of, seen },
});

/** What commands, given after each other, have led to. */
export class History {
  readonly facts: (GoalFact & { readonly at: number })[] = [];
  at = NOW;
  state: GoalState = goals.initialState;

  get live() {
    const { state } = this;
    if (state.status === 'none') throw new Error('there is no goal');
    return state;
  }
  /** The facts of a command, oldest first. @throws Rejected */
  does(command: GoalCommand): readonly GoalFact[] {
    const decided = goals.decide(command, this.state);
    const now = decided.map(fact => ({ ...fact, at: this.at }));
    this.facts.push(...now);
    this.state = fold(goals, this.state, stored(...now));
    return decided;
  }
  /** Types of the facts of several commands. */
  all(...commands: readonly GoalCommand[]): string[] {
    return commands.flatMap(command => this.does(command).map(({ type }) => type));
  }
  /** The code by which a command is refused; `taken`: it is not. */
  refusal(command: GoalCommand): string {
    try {
      goals.decide(command, this.state);
      return 'taken';
    } catch (error) {
      if (error instanceof Rejected) return error.code;
      throw error;
    }
  }
}
