import type { Enthrone } from '../../commands/tournaments/enthroning.js';
import type { OfTournament, TournamentCommands } from '../../commands/tournaments/records.js';
import type { Started, Starting } from '../../commands/tournaments/starting.js';
import type { Context } from '../../commands/engine/handle.js';
import type { TournamentQueries } from '../../projections/tournaments/queries.js';

export type TournamentDeps = {
  readonly commands: TournamentCommands;
  readonly queries: TournamentQueries;
  readonly start: (asked: Starting, context: Context) => Promise<Started>;
  readonly enthrone: Enthrone;
  /** @throws Rejected 409 where who is crowned would not forecast the goal */
  readonly mindCrown: (of: OfTournament) => Promise<void>;
  readonly hasGoal: (workspace: string, goalId: string) => Promise<boolean>;
  readonly clock: () => number;
  /** Waits, a bounded time, until the read models of tournaments hold the fact at a position. */
  readonly visible: (position: number | null) => Promise<void>;
  /** The same for those of goals. */
  readonly goalsVisible: (position: number | null) => Promise<void>;
};

export const tag = 'Goals';
export const readAccess = { kind: 'workspace', scope: 'goals.read' } as const;
export const writeAccess = { kind: 'workspace', scope: 'goals.write' } as const;
export const all = '/v1/goals/{goal_id}/tournaments';
export const one = `${all}/{tournament_id}` as const;
