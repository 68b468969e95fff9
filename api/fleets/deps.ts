import type { FleetCommands } from '../../commands/fleets/records.js';
import type { AddedUp } from '../../commands/fleets/adding-up.js';
import type { Entity } from '../../domain/fleets/planning.js';
import type { Champion } from '../../domain/goals/model.js';
import type { FleetDoc } from '../../projections/fleets/documents.js';
import type { FleetQueries } from '../../projections/fleets/queries.js';
import type { GoalDeps } from '../goals/deps.js';

export type FleetDeps = Pick<
  GoalDeps,
  'hasSegment' | 'hasPipeline' | 'quota' | 'activationPrice' | 'beside'
> & {
  readonly commands: FleetCommands;
  /** The same, and nothing is written. */
  readonly tried: FleetCommands;
  readonly queries: FleetQueries;
  readonly goals: Pick<GoalDeps['queries'], 'goals' | 'ofFleet'>;
  /** The entities of a base that there are. */
  readonly entities: (workspace: string, base: string) => Promise<readonly Entity[]>;
  /** Forecasts of its goals and of their sums; null: there is none yet. */
  readonly forecast: (doc: FleetDoc) => Promise<AddedUp | null>;
  readonly clock: () => number;
  /** Waits, a bounded time, until the read models of fleets hold the fact at a position. */
  readonly visible: (position: number | null) => Promise<void>;
};

/** A goal of a fleet, and how it did; null: nothing says so. */
export type Member = {
  readonly goalId: string;
  readonly entity: string;
  readonly name: string;
  readonly status: string;
  readonly champion: Champion | null;
  readonly value: number | null;
  readonly skill: number | null;
  readonly coverage: number | null;
  readonly n: number;
};

export const tag = 'Goals';
export const readAccess = { kind: 'workspace', scope: 'goals.read' } as const;
export const writeAccess = { kind: 'workspace', scope: 'goals.write' } as const;
export const all = '/v1/goals/fleets';
export const one = `${all}/{fleet_id}`;
