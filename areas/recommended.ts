import type { NoRecommendation, Recommendation } from '../api/models/deps.js';
import { uidOf as byomUidOf } from '../domain/byom/listing.js';
import type { GoalModel } from '../domain/goals/model.js';
import { BUILTIN, blueprintUidOf } from '../domain/models/hosted.js';
import { MADE } from '../domain/models/made.js';
import { winnerOf } from '../domain/tournaments/winner.js';
import { tournamentsProjection } from '../projections/tournaments/projection.js';
import { tournamentQueries, type TournamentQueries } from '../projections/tournaments/queries.js';
import { trainingsProjection } from '../projections/trainings/projection.js';
import { trainingQueries, type TrainingQueries } from '../projections/trainings/queries.js';
import type { Kernel } from './kernel.js';

/** The newest trainings that are looked through for those of one cycle, and the newest tournaments. */
const LOOKED_THROUGH = { trainings: 100, tournaments: 50 };

/** Null: nothing was compared. */
type Found = Promise<Recommendation | NoRecommendation | null>;
type Evidence = Recommendation | NoRecommendation;
const NOTHING_COMPARED =
  'No training and no tournament has compared models on the data of this workspace yet';

/** What the newest evidence of a workspace speaks for: a cycle of a pipeline, or a tournament of a goal. */
export function recommendedOf(kernel: Pick<Kernel, 'read'>): (workspace: string) => Promise<Evidence> {
  const trainings = trainingQueries(kernel.read(trainingsProjection));
  const tournaments = tournamentQueries(kernel.read(tournamentsProjection));
  return async workspace => {
    const asked = [byCycle(trainings, workspace), byTournament(tournaments, trainings, workspace)];
    const found = (await Promise.all(asked)).filter(each => each !== null);
    const [newest] = found.filter(isModel).sort((a, b) => b.computedAt - a.computedAt);
    const why = found.map(({ reason }) => reason).join('. ');
    return newest ?? { blueprintUid: null, reason: why || NOTHING_COMPARED };
  };
}

const isModel = (found: Evidence): found is Recommendation => found.blueprintUid !== null;

/** The best of the newest cycle that compared some, where it is better than the naive forecast. */
async function byCycle(queries: TrainingQueries, workspace: string): Found {
  const newest = await queries.completed(workspace, LOOKED_THROUGH.trainings);
  const docs = newest.filter(({ score }) => score !== null);
  const cycle = docs.find(
    ({ cycle_id: id }) => id !== null && docs.filter(each => each.cycle_id === id).length > 1,
  )?.cycle_id;
  if (!cycle) return null;
  const compared = docs.filter(({ cycle_id }) => cycle_id === cycle);
  const best = compared.reduce((least, doc) => (doc.score! < least.score! ? doc : least));
  const { model, metric, score, baseline_score: baselineScore } = best;
  const won = `The best of ${compared.length} models compared on the same folds`;
  if (baselineScore === null) {
    const none = `has a ${metric} of ${score!.toPrecision(4)}, and the seasonal naive forecast none`;
    return { blueprintUid: null, reason: `${won} ${none}: they cannot be compared` };
  }
  if (score! >= baselineScore) {
    const lost = `is no better than the seasonal naive forecast: ${scores(metric, score!, baselineScore)}`;
    return { blueprintUid: null, reason: `${won} ${lost}` };
  }
  return {
    blueprintUid: model,
    reason: `${won}: ${scores(metric, score!, baselineScore)}`,
    ...{ tournamentId: null, score: score!, baselineScore },
    computedAt: Math.max(...compared.map(doc => doc.finished_at!)),
  };
}

/** The winner of the newest tournament that a model of the catalogue won, where it is better than that. */
async function byTournament(
  queries: TournamentQueries,
  trainings: TrainingQueries,
  workspace: string,
): Found {
  const newest = await queries.decided(workspace, LOOKED_THROUGH.tournaments);
  for (const { state } of newest) {
    const winner = winnerOf(state);
    const blueprintUid = winner && (await uidOf(trainings, winner.model));
    if (!blueprintUid) continue;
    const { name, score, baselineScore, compared } = winner;
    const { tournamentId, contest } = state.started;
    const won = `${name} won a tournament of ${compared} for ${contest.target}`;
    return {
      ...{ blueprintUid, tournamentId, score, baselineScore },
      reason: `${won}: ${scores(contest.metric, score, baselineScore)}`,
      computedAt: state.finishedAt!,
    };
  }
  const reason =
    'No tournament was won by a model of the catalogue that lost less than the seasonal naive forecast';
  return newest.length > 0 ? { blueprintUid: null, reason } : null;
}

const scores = (metric: string, score: number, baselineScore: number): string =>
  `${metric} ${score.toPrecision(4)}, seasonal naive ${baselineScore.toPrecision(4)}`;

/** What a model is in the catalogue; null: it is nothing there, as blends are. */
async function uidOf(trainings: TrainingQueries, model: GoalModel): Promise<string | null> {
  if (model.kind === 'ensemble') return null;
  if (model.kind === 'local') return BUILTIN + model.method;
  const { family, slug } = model.model;
  if (family === MADE.byom) return byomUidOf(slug);
  if (family === MADE.training) return (await trainings.byId(slug))?.blueprint.uid ?? null;
  if (family !== MADE.adapter) return blueprintUidOf(model.model);
  const adapter = await trainings.adapter(slug);
  return (
    (adapter && (await trainings.training(adapter.workspace, adapter.training_id)))?.blueprint.uid ?? null
  );
}
