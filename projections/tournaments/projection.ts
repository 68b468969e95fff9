import type { Fact } from '../../domain/fact.js';
import type { GoalDeleted } from '../../domain/goals/facts.js';
import type { TournamentFact } from '../../domain/tournaments/facts.js';
import { evolve, initialState, isOpen } from '../../domain/tournaments/state.js';
import { projection, type After, type Before, type Projection } from '../engine/projection.js';
import { goalKey, tournamentDocId, type TournamentDoc } from './documents.js';

type Docs = { tournaments: TournamentDoc };
type Told = TournamentFact | GoalDeleted;

const idOf = ({ data, meta }: Fact<Told>): string | null =>
  'tournamentId' in data ? tournamentDocId(meta.workspace!, data.tournamentId) : null;

function became({ tournaments: before }: Before<Docs>, fact: Fact<TournamentFact>): After<Docs> {
  const state = evolve(before?.state ?? initialState, fact);
  if (state.status === 'none') return {};
  const workspace = fact.meta.workspace!;
  const { tournamentId, goalId, trigger } = state.started;
  return {
    tournaments: {
      _id: tournamentDocId(workspace, tournamentId),
      workspace,
      tournament_id: tournamentId,
      goal: goalKey(workspace, goalId),
      goal_id: goalId,
      status: state.status,
      open: isOpen(state.status),
      trigger,
      started_at: state.startedAt,
      state,
    },
  };
}

const types = [
  ...(['TournamentStarted', 'TournamentBegan', 'ContestantBegan', 'ContestantScored'] as const),
  ...(['ContestantFailed', 'TournamentCompleted', 'TournamentFailed', 'TournamentCancelled'] as const),
  'ContestantCrowned',
] as const satisfies readonly TournamentFact['type'][];

/** Tournaments of goals; those that are over go with their goal. */
export const tournamentsProjection: Projection = projection<Docs, Told>({
  name: 'tournaments',
  version: 1,
  collections: {
    tournaments: {
      indexes: [
        ['goal', 'started_at', '_id'],
        ['goal', 'status', 'started_at', '_id'],
        ['goal', 'open', 'started_at', '_id'],
        ['open', 'workspace', 'started_at', '_id'],
      ],
      idOf,
    },
  },
  on: Object.fromEntries(types.map(type => [type, became])),
  sweeps: {
    // One that is not over is called off first
    GoalDeleted: ({ data, meta }) => ({
      tournaments: { goal: goalKey(meta.workspace!, data.goalId), open: false },
    }),
  },
});
