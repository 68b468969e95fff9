import { levelsFor } from '../../domain/forecasts/composing.js';
import { replacementIn, type ServedDeployments } from '../../domain/deployments/served.js';
import { orderOf, type Candidate } from '../../domain/forecasts/order.js';
import { MOST_STEPS_AHEAD } from '../../domain/goals/settings.js';
import type { Replaced, TargetOf } from '../../domain/goals/ports.js';
import type { GoalState, LiveGoal } from '../../domain/goals/state.js';
import { goalSteps } from '../../domain/goals/steps.js';
import type { ForGoal } from '../../domain/inference/moves.js';
import type { Warning } from '../../domain/inference/forecasting.js';
import { levelsOf, type InferenceRequest } from '../../domain/inference/request.js';
import { Rejected } from '../../domain/rejected.js';
import type { Answering, AskedOfGoal, GoalsAsked } from '../inference/goals.js';
import { tooFar } from './forecast-by.js';
import { pathTo, type PathDeps } from './paths.js';
import { CODE_VERSION } from './put-together.js';
import { movedAs, onStepsAgain, type Follows, type MovingDeps } from './target-asked.js';
import { NO_CHAMPION, nobody, unavailable, type ServingDeps } from './serving.js';
import { MOST_STEPS } from './wanted.js';

export type AnsweringDeps = PathDeps &
  MovingDeps &
  Pick<ServingDeps, 'generalist' | 'log'> & {
    /** Whatever became of a deployment: what it answered once is made again. */
    readonly inAnyState: ServedDeployments;
    readonly targetOf: TargetOf;
    readonly replaced: Replaced;
    /** Of a workspace; `asOf`: as it stood then, epoch ms. */
    readonly goal: (workspace: string, goalId: string, asOf: number | null) => Promise<GoalState>;
  };

/** What answers inferences that name a goal: what serves it, moved by all that moves its forecasts. */
export const answeringOf = (deps: AnsweringDeps): GoalsAsked => ({
  async *serving(workspace, request, { now, asOf }) {
    const goalId = request.goal_id!;
    const goal = servedGoal(goalId, await deps.goal(workspace, goalId, asOf));
    const { horizon, options, target: key } = goal.settings;
    const wanted = {
      horizon: mindHorizon(request.horizon ?? horizon),
      quantiles: levelsOf(request.quantiles ?? options.quantiles),
      calibration: options.calibration,
    };
    const isTarget = !request.series && (request.key === undefined || request.key === key);
    const at = asOf ?? now;
    const asked = { asOf, most: MOST_STEPS, now: at };
    const history = isTarget ? await deps.targetOf(workspace, goal.settings, asked) : null;
    const scheduledEvents = options.scheduledEvents && (request.scheduled_events ?? true);
    const steps = history?.series.values.length;
    const target =
      steps === undefined
        ? null
        : { target: key, ...goalSteps(goal.settings), scheduledEvents, at, asOf, steps };
    const histories = history && {
      given: [{ series: history.series, count: history.read.points, cutoff: history.cutoff }],
      ...{ read: [history.read], upTo: history.upTo },
    };
    const ready = async (candidate: Candidate) => {
      const { warnings: told, model, name } = await deps.replaced(workspace, candidate);
      const follows: Follows = { model, name, ...wanted, target };
      const found = { told, follows, by: { servedBy: candidate.servedBy, model, name } };
      try {
        return { ...found, answering: await answeringBy(deps, workspace, follows) };
      } catch (error) {
        return { ...found, answering: null, error };
      }
    };
    const warnings: Warning[] = goal.champion ? [] : [NO_CHAMPION];
    let last: unknown = nobody();
    for (const candidate of orderOf({ ...goal, fallback: options.fallback }, await deps.generalist())) {
      let found = await ready(candidate);
      // It was retired since it was looked for
      if (!found.answering && replacementIn(found.error) !== null) found = await ready(candidate);
      const { told, follows, by, answering } = found;
      warnings.push(...told);
      if (answering) {
        const forGoal = { goalId, servedBy: by.servedBy, warnings: [...warnings], follows };
        last = yield { ...askedOf(deps, workspace, request, forGoal), answering, histories };
      } else last = found.error;
      if (last instanceof Rejected && last.kind === 'forbidden') throw last;
      warnings.push(unavailable(by, last, deps.log));
    }
    throw last;
  },

  async again(workspace, request, forGoal) {
    const answering = await answeringBy(
      { ...deps, served: deps.inAnyState },
      workspace,
      forGoal.follows as Follows,
    );
    return { ...askedOf(deps, workspace, request, forGoal), answering, histories: null };
  },
});

/** @throws Rejected 404, and 409 where no forecasts of the goal are made */
function servedGoal(goalId: string, goal: GoalState): LiveGoal {
  const details = { field: 'goal_id', goal_id: goalId };
  if (goal.status === 'none')
    throw new Rejected('missing', 'not_found', `There is no goal '${goalId}'`, { goal_id: goalId });
  const { status } = goal;
  if (status === 'active') return goal;
  if (status === 'discovering' || status === 'competing')
    throw new Rejected('conflict', 'deployment_not_ready', `Nothing serves the goal '${goalId}' yet`, {
      ...{ ...details, status, retry_after_s: 30 },
    });
  throw new Rejected(
    'conflict',
    'invalid_state',
    `goal_id: the goal '${goalId}' is ${status}; it is not served`,
    {
      ...{ ...details, status },
    },
  );
}

function mindHorizon(horizon: number): number {
  if (horizon <= MOST_STEPS_AHEAD) return horizon;
  throw tooFar(horizon, MOST_STEPS_AHEAD);
}

/** @throws Rejected where it is not served, or does not go so far */
async function answeringBy(
  deps: AnsweringDeps,
  workspace: string,
  { model, name, horizon, calibration }: Follows,
): Promise<Answering> {
  const bands = calibration === 'model' ? ({ bands: 'model' } as const) : {};
  if (model.kind === 'served') {
    const { promotionId } = model;
    const found = await (promotionId === null
      ? deps.zeroShot(workspace, model.model)
      : deps.served(workspace, promotionId));
    if (horizon > found.maxHorizon) throw tooFar(horizon, found.maxHorizon);
    return { ...found, promotionId, horizon, ...bands };
  }
  const path = await pathTo(deps, workspace, model, { signal: new AbortController().signal });
  if (horizon > path.maxHorizon) throw tooFar(horizon, path.maxHorizon);
  const slug = model.kind === 'local' ? model.method : name;
  const maxHorizon = Math.min(path.maxHorizon, MOST_STEPS_AHEAD);
  return {
    ...{ promotionId: null, horizon, maxHorizon, lookback: path.lookback, ...bands },
    ...{ readsTimes: true, reads: [] },
    model: { family: model.kind === 'local' ? 'blueprint' : 'ensemble', slug, version: CODE_VERSION, name },
    forecaster: {
      ...{ slug, version: CODE_VERSION, caps: { context: path.lookback, horizon: maxHorizon } },
      tasks: ['forecast', 'impute', 'anomaly'],
      forecast: () => Promise.reject(new Error(`${name} is asked by its path`)),
    },
    manyBy: async (remembered, signal) =>
      (await pathTo({ ...deps, remembered }, workspace, model, { signal })).many,
  };
}

/** A request as it is meant of a goal. */
function askedOf(
  deps: AnsweringDeps,
  workspace: string,
  request: InferenceRequest,
  forGoal: ForGoal,
): Pick<AskedOfGoal, 'request' | 'target' | 'forGoal'> {
  const { goalId } = forGoal;
  const follows = forGoal.follows as Follows;
  const { horizon, quantiles, target } = follows;
  if (!target) return { request: { ...request, horizon, quantiles }, target: null, forGoal };
  return {
    request: { ...request, key: target.target, horizon, quantiles: levelsFor(quantiles) },
    target: {
      again: points => onStepsAgain(target, points),
      moved: (made, given, moves) =>
        movedAs(deps, { workspace, goalId, target, follows }, made, given, moves),
    },
    forGoal,
  };
}
