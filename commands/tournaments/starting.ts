import type { Replaced, Standing } from '../../domain/goals/ports.js';
import { goalNotFound, invalidState } from '../../domain/goals/refusals.js';
import type { GoalMetric } from '../../domain/goals/settings.js';
import { championsOf, type GoalState, type LiveGoal } from '../../domain/goals/state.js';
import { Rejected } from '../../domain/rejected.js';
import type { Millicredits } from '../../domain/billing/credits.js';
import { goalSteps } from '../../domain/goals/steps.js';
import type { Contestant, TournamentTrigger } from '../../domain/tournaments/facts.js';
import { FOLDS } from '../../domain/tournaments/folds.js';
import { tournamentRunning } from '../../domain/tournaments/refusals.js';
import { isOpen } from '../../domain/tournaments/state.js';
import type { Credits } from '../billing/credits.js';
import { mindMaxCredits } from '../billing/max-credits.js';
import type { Context } from '../engine/handle.js';
import { fieldOf, type EntryWanted } from './field.js';
import { followingId, numberedId, paidFor, seedOf, type TournamentCommands } from './records.js';

/** What a person may say; null, or absent: as usual. */
export type TournamentWanted = {
  readonly entries: readonly EntryWanted[] | null;
  readonly folds: number;
  readonly metric: GoalMetric | null;
  /** Credits that contestants may cost together. */
  readonly budget: number | null;
  readonly blends: boolean;
  readonly maxCredits?: number;
};
export const USUAL: TournamentWanted = {
  ...{ entries: null, folds: FOLDS.usual, metric: null, budget: null, blends: true },
};

export type StartingDeps = {
  readonly commands: Pick<TournamentCommands, 'start' | 'state'>;
  readonly goal: (of: { readonly workspace: string; readonly goalId: string }) => Promise<GoalState>;
  readonly queries: {
    /** How many there were of a goal, and one that is not over. */
    readonly count: (workspace: string, goalId: string) => Promise<number>;
    readonly open: (workspace: string, goalId: string) => Promise<{ readonly tournament_id: string } | null>;
  };
  readonly standing: Standing;
  readonly replaced: Replaced;
  readonly credits: Pick<Credits, 'priceOf' | 'hold'>;
  readonly available: (workspace: string) => Promise<Millicredits>;
};
export type Starting = {
  readonly workspace: string;
  readonly goalId: string;
  readonly trigger: TournamentTrigger;
  readonly wanted?: TournamentWanted;
  /** The user who asks; absent: the goal's own. */
  readonly owner?: string;
};
export type Started = {
  readonly tournamentId: string;
  readonly position: number | null;
  readonly credits: Millicredits;
};

/**
 * Begins a tournament of a goal. Of one that follows from a fact the id follows from it, too (`causation`),
 * so that it is begun once. Where credits do not suffice, a person is refused; what begins by itself is held
 * with so many contestants as can be paid, or with seasonal naive alone.
 * @throws Rejected 404, 402, 409 `tournament_running`, `invalid_state`
 */
export const startingOf =
  (deps: StartingDeps) =>
  async (asked: Starting, context: Context): Promise<Started> => {
    const { workspace, goalId, trigger } = asked;
    const goal = await deps.goal({ workspace, goalId });
    if (goal.status === 'none') throw goalNotFound();
    const isActivation = trigger === 'activation';
    const follows = isActivation || trigger === 'revision' || trigger === 'schedule';
    const ofCause = follows && context.causation !== null ? followingId(goalId, context.causation) : null;
    if (ofCause !== null) {
      const before = await deps.commands.state({ workspace, tournamentId: ofCause });
      if (before.status !== 'none')
        return { tournamentId: ofCause, position: null, credits: before.started.price.amount };
      if (isActivation) return begin(deps, asked, goal, ofCause, context);
    }
    if (goal.status !== 'active' && !isActivation) throw invalidState(goal.status, 'have a tournament');
    const open = await deps.queries.open(workspace, goalId);
    if (open) throw tournamentRunning(open.tournament_id);
    if (ofCause !== null) return begin(deps, asked, goal, ofCause, context);
    // Two that begin at once take the same number, and one of them finds it taken
    for (let number = await deps.queries.count(workspace, goalId); ; number++) {
      const tournamentId = numberedId(goalId, number);
      const before = await deps.commands.state({ workspace, tournamentId });
      if (before.status === 'none') return begin(deps, asked, goal, tournamentId, context);
      if (isOpen(before.status)) throw tournamentRunning(tournamentId);
    }
  };

async function begin(
  deps: StartingDeps,
  { workspace, goalId, trigger, wanted = USUAL, owner }: Starting,
  goal: LiveGoal,
  tournamentId: string,
  context: Context,
): Promise<Started> {
  const { credits, commands } = deps;
  const { settings } = goal;
  const { champion: championBefore } = championsOf(goal);
  const champion = championBefore && {
    ...championBefore,
    ...(await deps.replaced(workspace, championBefore)),
  };
  const standing = await deps.standing(workspace);
  const each = credits.priceOf('tournament.contestant', 1).amount;
  const fieldFor = (most: number): Contestant[] => {
    const affordable = each === 0 ? Infinity : Math.floor(most / each);
    return fieldOf({ standing, champion, entries: wanted.entries, blends: wanted.blends, affordable });
  };
  const priceFor = (field: readonly Contestant[]) =>
    credits.priceOf('tournament.contestant', field.filter(({ paid }) => paid).length);
  const budget = wanted.budget === null ? Infinity : wanted.budget * 1_000;
  const isAsked = trigger === 'manual';
  const most = isAsked ? budget : Math.min(budget, await deps.available(workspace));
  let contestants = fieldFor(most);
  mindMaxCredits(priceFor(contestants), wanted.maxCredits);
  const hold = async (): Promise<void> => {
    const line = { price: priceFor(contestants), reference: paidFor(tournamentId), pipelineId: null, goalId };
    await credits.hold(workspace, line, { ...context, workspace });
  };
  await hold().catch((error: unknown) => {
    if (isAsked || !(error instanceof Rejected) || error.kind !== 'unpaid') throw error;
    contestants = fieldFor(0);
  });
  const price = priceFor(contestants);
  const { target, horizon, options, metric } = settings;
  const data = {
    ...{ tournamentId, goalId, trigger, contestants, price, championBefore },
    contest: {
      ...{ target, ...goalSteps(settings), horizon, quantiles: options.quantiles },
      metric: wanted.metric ?? metric,
    },
    ...{ folds: wanted.folds, asOf: context.at, seed: seedOf(tournamentId), budget: wanted.budget },
    owner: owner ?? goal.owner,
  };
  const { facts, position } = await commands.start(workspace, data, context);
  // Somebody else took the number: what was held is theirs
  if (facts.length === 0 && isAsked) throw tournamentRunning(tournamentId);
  return { tournamentId, position, credits: price.amount };
}
