import type { AnalystCommands } from '../../commands/analyst/records.js';
import type { KnownEdge } from '../../domain/edges/state.js';
import type { LiveGoal } from '../../domain/goals/state.js';
import type { AnalystQueries } from '../../projections/analyst/queries.js';
import type { DiscoveryQueries } from '../../projections/discovery/queries.js';
import type { ForecastQueries } from '../../projections/forecasts/queries.js';
import type { GoalDoc } from '../../projections/goals/documents.js';
import type { TournamentQueries } from '../../projections/tournaments/queries.js';
import type { Beside } from '../goals/deps.js';

/** Edges of a goal as they stood at a time (epoch ms). */
export type EdgesThen = (workspace: string, goalId: string, asOf: number) => Promise<readonly KnownEdge[]>;

export type AnalystDeps = {
  readonly queries: AnalystQueries;
  readonly commands: AnalystCommands;
  readonly goal: (workspace: string, goalId: string) => Promise<GoalDoc | null>;
  /** As its facts told it at a time (epoch ms); null: it was not there. */
  readonly goalThen: (workspace: string, goalId: string, asOf: number) => Promise<LiveGoal | null>;
  readonly beside: Beside;
  readonly forecasts: Pick<ForecastQueries, 'forecasts' | 'actuals' | 'record'>;
  readonly tournaments: Pick<TournamentQueries, 'page'>;
  readonly discoveries: Pick<DiscoveryQueries, 'page' | 'results'>;
  readonly edgesThen: EdgesThen;
  /** A signal as lists show it, now; null: it is not there. */
  readonly signal: (workspace: string, key: string) => Promise<Readonly<Record<string, unknown>> | null>;
  readonly newAnswerId: () => string;
  readonly clock: () => number;
  /** Waits, a bounded time, until the read models of answers hold the fact at a position. */
  readonly visible: (position: number | null) => Promise<void>;
};

export const tag = 'Goals';
export const readAccess = { kind: 'workspace', scope: 'goals.read' } as const;
export const analyst = '/v1/goals/{goal_id}/analyst';
