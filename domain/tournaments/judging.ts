import type { Champion } from '../goals/model.js';
import { dieboldMariano } from '../maths/statistics/diebold-mariano.js';
import type { ContestantScored, Decision, Standing } from './facts.js';
import type { ContestantState, KnownTournament } from './state.js';

/** The champion goes at evidence stronger than this (p of the paired test), */
const P_BELOW = 0.1;
/** or at a score better by this share where the 80% band covers no worse. */
const BETTER_BY = 0.02;
const LEVEL = 0.8;

export type Judgement = {
  readonly standings: readonly Standing[];
  readonly championAfter: Champion | null;
  readonly runnerUp: Champion | null;
  readonly decision: Decision;
};
type Scored = ContestantState & { readonly scored: ContestantScored['data'] };

/**
 * Ranks who was scored and names the champion (open-parts 16): the one that there was, unless another is
 * better with evidence, or it cannot forecast any more. Null: nobody was scored.
 */
export function judge(tournament: KnownTournament, at: number): Judgement | null {
  const ranked = tournament.contestants.filter(isScored).sort(byScore);
  const [first] = ranked;
  if (!first) return null;
  const { started } = tournament;
  const champion = ranked.find(one => one.contestant.roles.includes('champion'));
  const baseline = ranked.find(one => one.contestant.roles.includes('baseline'));
  const standings = ranked.map((one, i): Standing => {
    const test = champion && one !== champion ? pairedTest(champion, one) : null;
    return {
      contestantId: one.contestant.contestantId,
      rank: i + 1,
      skill: skillOf(one.scored.score, baseline?.scored.score ?? null),
      beatsChampion: champion !== undefined && one !== champion && beats(one, champion, test),
      p: test,
    };
  });
  const asChampion = ({ contestant, scored }: Scored): Champion => ({
    ...{ model: scored.model, name: contestant.name, score: scored.score },
    ...{ since: at, tournamentId: started.tournamentId },
  });
  const best = ranked.find((_, i) => standings[i]!.beatsChampion);
  const [after, decision] = decided(tournament, { first, champion, best });
  const isKept = decision.result === 'kept';
  const runnerUp = ranked.find(one => one !== after && (!isKept || one !== champion));
  return {
    standings,
    championAfter: isKept ? started.championBefore : after && asChampion(after),
    runnerUp: runnerUp ? asChampion(runnerUp) : null,
    decision,
  };
}

const isScored = (one: ContestantState): one is Scored => one.status === 'scored' && one.scored !== null;
const byScore = (a: Scored, b: Scored): number =>
  a.scored.score - b.scored.score || (a.contestant.contestantId < b.contestant.contestantId ? -1 : 1);

type Found = {
  readonly first: Scored;
  readonly champion: Scored | undefined;
  /** The best of those that beat the champion. */
  readonly best: Scored | undefined;
};

function decided(
  { started, contestants }: KnownTournament,
  { first, champion, best }: Found,
): [after: Scored | null, decision: Decision] {
  const told = (result: Decision['result'], reason: string): Decision => ({ result, by: 'policy', reason });
  const { championBefore } = started;
  if (!championBefore)
    return [first, told('replaced', `${first.contestant.name} lost least, and there was no champion`)];
  if (champion && best)
    return [
      best,
      told('replaced', `${best.contestant.name} is better than the champion, ${championBefore.name}`),
    ];
  if (champion)
    return [champion, told('kept', `No contestant is better than ${championBefore.name} with evidence`)];
  const failed = contestants.find(one => one.contestant.roles.includes('champion'))?.failed;
  if (!failed || failed.disqualified || failed.isPassing)
    return [null, told('kept', `${championBefore.name} was not compared: ${failed?.message ?? 'no reason'}`)];
  return [first, told('replaced', `${championBefore.name} cannot forecast any more: ${failed.message}`)];
}

/**
 * Two-sided p of the test over the mean losses of the folds that both were judged on, which do not overlap;
 * null: too few, or no variance.
 */
function pairedTest(champion: Scored, other: Scored): number | null {
  const differences = champion.scored.losses.flatMap((loss, fold) => {
    const own = other.scored.losses[fold];
    return loss === null || own === null || own === undefined ? [] : [loss - own];
  });
  return dieboldMariano(differences)?.p ?? null;
}

function beats({ scored: own }: Scored, { scored: champion }: Scored, p: number | null): boolean {
  if (!(own.score < champion.score)) return false;
  if (p !== null && p < P_BELOW) return true;
  const isMuch = own.score <= champion.score * (1 - BETTER_BY);
  return isMuch && offLevel(own) <= offLevel(champion) + Number.EPSILON;
}

const offLevel = ({ coverage80 }: ContestantScored['data']): number => Math.abs(coverage80 - LEVEL);

const skillOf = (score: number, baseline: number | null): number | null =>
  baseline === null || baseline === 0 ? null : 1 - score / baseline;
