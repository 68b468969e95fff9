import type { TargetHistory, TargetOf } from '../../domain/goals/ports.js';
import type { GoalState } from '../../domain/goals/state.js';
import { insufficient } from '../../domain/inference/history.js';
import { periodOf } from '../../domain/maths/forecasting/period.js';
import { Rejected } from '../../domain/rejected.js';
import { foldsOf, type Fold } from '../../domain/tournaments/folds.js';
import { isOpen, isPending, type KnownTournament } from '../../domain/tournaments/state.js';
import type { Context } from '../engine/handle.js';
import { contend, HISTORY, type ContendingDeps, type Held } from './contending.js';
import type { OfTournament, TournamentCommands } from './records.js';

export type RunningDeps = ContendingDeps & {
  readonly commands: Pick<
    TournamentCommands,
    'read' | 'begin' | 'beginContestant' | 'score' | 'failContestant' | 'judge' | 'fail' | 'cancel'
  >;
  readonly goal: (of: { readonly workspace: string; readonly goalId: string }) => Promise<GoalState>;
  readonly targetOf: TargetOf;
  readonly clock: () => number;
};

/** So many forecast beside each other. */
const LANES = 2;

/**
 * Holds a tournament from where it stands to its end: all contestants on the same folds of what was known
 * when it began, then those that blend others, then who is the champion. What was done already stands in its
 * facts and is not done again. Answers the position of its last fact; null: it was over. `signal`: nobody
 * wants it any more, or this process is to end.
 * @throws what keeps the stores from being written to; then it is gone on with later
 */
export async function holdTournament(
  deps: RunningDeps,
  of: OfTournament,
  context: Context,
  signal: AbortSignal,
): Promise<number | null> {
  const { commands, clock } = deps;
  const now = (): Context => ({ ...context, at: clock() });
  const before = await commands.read(of);
  if (!isOpen(before.status)) return null;
  const { goalId } = before.started;
  const goal = await deps.goal({ workspace: of.workspace, goalId });
  if (goal.status === 'none') return (await commands.cancel(of, now())).position;
  const cut = await cutFolds(deps, of, before).catch((error: unknown) => {
    if (error instanceof Rejected && error.kind !== 'unavailable') return error;
    throw error;
  });
  if (cut instanceof Rejected) return (await commands.fail(of, cut, now())).position;
  const { folds, period, history } = cut;
  const [weighing, ...cutoffs] = folds.map(({ cutoff }) => cutoff);
  const began = {
    ...{ tournamentId: of.tournamentId, weighing: weighing!, cutoffs, period, read: history.read },
    steps: folds[0]!.actual.length,
  };
  await commands.begin(of.workspace, began, now());
  const tournament = await commands.read(of);
  const held: Held = { of, tournament, folds, period, now, signal };
  const open = tournament.contestants.filter(isPending).map(({ contestant }) => contestant);
  const models = open.filter(({ what }) => what.kind === 'model');
  await inLanes(models, contestant => contend(deps, held, contestant));
  const blends = open.filter(({ what }) => what.kind === 'blend');
  const after = { ...held, tournament: await commands.read(of) };
  await inLanes(blends, contestant => contend(deps, after, contestant));
  if (signal.aborted) return null;
  return (await commands.judge(of, now())).position;
}

async function cutFolds(
  { targetOf }: RunningDeps,
  { workspace }: OfTournament,
  { started: { contest, folds: count, asOf } }: KnownTournament,
): Promise<{
  readonly folds: readonly Fold[];
  readonly period: number;
  readonly history: TargetHistory;
}> {
  const { horizon, target } = contest;
  const most = HISTORY + (count + 1) * horizon;
  const history = await targetOf(workspace, contest, { asOf, most });
  const { series } = history;
  const folds = foldsOf(series, { folds: count, horizon });
  if (!folds) throw insufficient(target, series.values.length, 2 * (count + 1) + LEAST_BEFORE);
  const { known } = folds[0]!;
  return { folds, history, period: known.period ?? periodOf(known.values, known.step) };
}
const LEAST_BEFORE = 16;

async function inLanes<T>(items: readonly T[], work: (item: T) => Promise<void>): Promise<void> {
  const left = [...items];
  const lane = async (): Promise<void> => {
    for (let item = left.shift(); item !== undefined; item = left.shift()) await work(item);
  };
  await Promise.all(Array.from({ length: LANES }, lane));
}
