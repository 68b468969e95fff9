import type { GoalCommands } from '../goals/records.js';
import type { Champion } from '../../domain/goals/model.js';
import { goalNotFound, invalidState } from '../../domain/goals/refusals.js';
import {
  championsOf,
  isOtherSeries,
  takesChampion,
  type Champions,
  type LiveGoal,
} from '../../domain/goals/state.js';
import type { TournamentStarted } from '../../domain/tournaments/facts.js';
import { otherSeries } from '../../domain/tournaments/refusals.js';
import { isSame, scoreIn } from '../../domain/tournaments/scores.js';
import type { KnownTournament } from '../../domain/tournaments/state.js';
import type { Context } from '../engine/handle.js';
import type { OfTournament, TournamentCommands } from './records.js';

type Deps = {
  readonly commands: Pick<TournamentCommands, 'read'>;
  readonly goals: Pick<GoalCommands, 'state' | 'champion'>;
};
/** Makes the champion of a tournament that of its goal; the position of the fact, null: it was so already. */
export type Enthrone = (of: OfTournament, context: Context) => Promise<number | null>;

/**
 * What a tournament replaced the champion by forecasts the goal from now on, unless something newer does, or
 * the goal is about other values by now. One that keeps its place has a score by this, if it had none.
 */
export const enthroningOf =
  ({ commands, goals }: Deps): Enthrone =>
  async (of, context) => {
    const tournament = await commands.read(of);
    const { started, championAfter, runnerUp, decision } = tournament;
    if (!championAfter || !decision) return null;
    const ofGoal = { workspace: of.workspace, goalId: started.goalId };
    const goal = await goals.state(ofGoal);
    if (goal.status === 'none' || isOfOther(goal, started)) return null;
    const { by, reason } = decision;
    if (decision.result === 'kept') {
      const kept = keptIn(tournament, goal);
      const said = kept && { champion: kept.champion!, runnerUp: kept.runnerUp, by, reason };
      return said && (await goals.champion(ofGoal, said, context)).position;
    }
    if (goal.champion && goal.champion.since > championAfter.since) return null;
    const found = { champion: championAfter, runnerUp };
    const { champion, runnerUp: next } = judgedFor(goal, tournament, found);
    const said = { champion: champion!, runnerUp: next, by, reason };
    return (await goals.champion(ofGoal, said, context)).position;
  };

/**
 * Minds that who is crowned by hand would forecast the goal.
 * @throws Rejected 404; 409 where the goal takes no champion now, or is about other values by now
 */
export const mindingCrowns =
  ({ commands, goals }: Deps) =>
  async (of: OfTournament): Promise<void> => {
    const { started } = await commands.read(of);
    const goal = await goals.state({ workspace: of.workspace, goalId: started.goalId });
    if (goal.status === 'none') throw goalNotFound();
    if (!takesChampion(goal)) throw invalidState(goal.status, 'be given a champion');
    if (isOfOther(goal, started)) throw otherSeries();
  };

/** Whom a tournament found for a goal, with scores in the metric that the goal has by now. */
export const judgingOf =
  ({ commands, goals }: Deps) =>
  async (of: OfTournament, found: Champions): Promise<Champions> => {
    const tournament = await commands.read(of);
    const goal = await goals.state({ workspace: of.workspace, goalId: tournament.started.goalId });
    return goal.status === 'none' ? found : judgedFor(goal, tournament, found);
  };

/** Champions that kept their place, with the score that the first had none of; null: there is nothing new. */
function keptIn(tournament: KnownTournament, goal: LiveGoal): Champions | null {
  const known = championsOf(goal);
  const { championAfter } = tournament;
  const { champion } = known;
  if (!champion || champion.score !== null || !championAfter || !isSame(champion, championAfter)) return null;
  const judged = judgedFor(goal, tournament, known);
  return judged.champion?.score === null ? null : judged;
}

function judgedFor(
  goal: LiveGoal,
  tournament: KnownTournament,
  { champion, runnerUp }: Champions,
): Champions {
  const known = Object.values(championsOf(goal));
  const judged = (one: Champion | null): Champion | null =>
    one && { ...one, score: scoreIn(tournament, one, goal.settings.metric, known) };
  return { champion: judged(champion), runnerUp: judged(runnerUp) };
}

const isOfOther = ({ settings }: LiveGoal, { contest }: TournamentStarted['data']): boolean =>
  isOtherSeries(settings, contest);
