import type { ServedDeployments } from '../../domain/deployments/served.js';
import type { HistoryRead, InferenceCompleted } from '../../domain/inference/facts.js';
import { fromPoints, givenSeries, type Given } from '../../domain/inference/given.js';
import type { KeptForecasts } from '../../domain/inference/kept-forecast.js';
import type { InferenceRequest } from '../../domain/inference/request.js';
import { unkept, type RecordedInference } from '../../domain/inference/state.js';
import { Rejected } from '../../domain/rejected.js';
import type { EventStore } from '../ports/event-store.js';
import { differences, type Difference } from './differences.js';
import type { GoalTarget, GoalsAsked } from './goals.js';
import { tasks } from './tasks/index.js';
import { make } from './making.js';
import { pointsThen } from './points-then.js';
import { prepared, type WorkDeps } from './work.js';

/** Whether everything was the same again, and what was not: the first hundred places. */
export type Replayed = { readonly identical: boolean; readonly diff: readonly Difference[] };

type Deps = {
  /** Also deployments that are retired: an answer of theirs can be made again while the model is there. */
  readonly served: ServedDeployments;
  readonly goals: Pick<GoalsAsked, 'again'>;
  readonly store: Pick<EventStore, 'read'>;
};

/**
 * Makes an answer again from the log alone: the request from the inference's own journal, points from the
 * journals of their signals as they stood, nothing remembered.
 * @throws Rejected 409 where there is no answer; as `served`
 */
export async function replay(
  { served, goals, store }: Deps,
  workspace: string,
  { requested, completed, parts }: RecordedInference,
  signal: AbortSignal,
): Promise<Replayed> {
  if (!completed) throw nothingToReplay();
  const request = unkept(requested.request, parts.request) as InferenceRequest;
  const { goal: forGoal, promotionId, read, upTo } = completed;
  const answer = unkept(completed.answer, parts.answer);
  const goal = forGoal && (await goals.again(workspace, request, forGoal));
  const deployment = goal?.answering ?? (await served(workspace, promotionId!));
  const histories = {
    given: goal?.target
      ? await targetAgain(store, workspace, goal.target, completed)
      : await givenAgain(store, workspace, request, read, deployment.lookback),
    read,
  };
  const task = tasks[completed.task];
  const again = {
    ...prepared(task, deployment, goal?.request ?? request, histories, upTo),
    ...(goal && { goal }),
  };
  const { moves } = answer as Partial<KeptForecasts>;
  const asking = {
    ...{ workspace, askedBy: completed.askedBy, began: performance.now(), signal, anew: true, moves },
  };
  const remembered: WorkDeps['remembered'] = (_, forecast) => forecast;
  const made = await make({ remembered }, task, again, asking);
  const { model, codeVersion, inputsHash, seed } = completed;
  const diff = [
    ...differences(
      { model: model.version, code_version: codeVersion, inputs_hash: inputsHash, seed },
      {
        model: made.model.version,
        code_version: made.codeVersion,
        inputs_hash: made.inputsHash,
        seed: made.seed,
      },
    ),
    ...differences(answer, JSON.parse(JSON.stringify(made.answer))),
  ];
  return { identical: diff.length === 0, diff: diff.slice(0, 100) };
}

async function targetAgain(
  store: Deps['store'],
  workspace: string,
  target: GoalTarget,
  { read: [read], cutoff }: InferenceCompleted['data'],
): Promise<Given[]> {
  return [target.again(await pointsThen(store, workspace, read!, cutoff))];
}

async function givenAgain(
  store: Deps['store'],
  workspace: string,
  request: InferenceRequest,
  reads: readonly HistoryRead[],
  most: number,
): Promise<Given[]> {
  if (request.series) return givenSeries(request.series, most);
  const given: Given[] = [];
  for (const read of reads)
    given.push(fromPoints(read.key, await pointsThen(store, workspace, read), { most }));
  return given;
}

const nothingToReplay = (): Rejected =>
  new Rejected('conflict', 'invalid_state', 'The inference has no answer that could be made again');
