import { signals } from '../../domain/signals/decider.js';
import { journalOf } from '../../domain/decider.js';
import type { ServedDeployments } from '../../domain/deployments/served.js';
import { fairTurn } from '../../fair-turns.js';
import { START, type Fact } from '../../domain/fact.js';
import type { HistoryRead, InferenceCompleted } from '../../domain/inference/facts.js';
import { fromPoints, givenSeries, type Given } from '../../domain/inference/given.js';
import type { KeptForecasts } from '../../domain/inference/kept-forecast.js';
import type { InferenceRequest } from '../../domain/inference/request.js';
import { unkept, type RecordedInference } from '../../domain/inference/state.js';
import { Rejected } from '../../domain/rejected.js';
import type { PointsRecorded, PointsRevised, SignalFact } from '../../domain/signals/facts.js';
import { unpacked, type Columns } from '../../domain/signals/points.js';
import type { EventStore } from '../ports/event-store.js';
import { placeOf } from './actuals.js';
import { differences, type Difference } from './differences.js';
import type { GoalTarget, GoalsAsked } from './goals.js';
import { hashOf } from './histories.js';
import { tasks } from './tasks/index.js';
import { make } from './making.js';
import { prepared, type WorkDeps } from './work.js';

/** Whether everything was the same again, and what was not: the first hundred places. */
export type Replayed = { readonly identical: boolean; readonly diff: readonly Difference[] };

const PAGE = 256;
/** Facts behind the revision that is told of which may have been in the points that were read. */
const MOST_BEHIND = 1_000;

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

/**
 * The points of a signal that were read, from its journal: those of its life at the revision, recorded by
 * `asOf`, up to a time (included). Read models may have been a little ahead of the revision they told of:
 * then a few facts more, until the points are those that the hash tells of.
 */
async function pointsThen(
  store: Deps['store'],
  workspace: string,
  read: HistoryRead,
  until = Infinity,
): Promise<Columns> {
  const place = placeOf(workspace, read);
  const journal = journalOf(signals, `${place.workspace}.${place.key}`);
  const known = new Map<number, number>();
  let then: Columns | null = null;
  for (let after = START; ; ) {
    await fairTurn(workspace);
    const page = (await store.read(journal, after, PAGE)) as Fact<SignalFact>[];
    for (const fact of page) {
      take(fact, read, known);
      if (fact.revision < read.revision) continue;
      const columns = inOrder(known, until);
      if (hashOf(columns) === read.hash) return columns;
      then ??= columns;
      if (fact.revision > read.revision + MOST_BEHIND) return then;
    }
    if (page.length < PAGE) return then ?? inOrder(known, until);
    after = page.at(-1)!.revision;
  }
}

function take(fact: Fact<SignalFact>, { asOf, from }: HistoryRead, known: Map<number, number>): void {
  if (fact.type === 'SignalDeleted') known.clear();
  if (!isWriting(fact) || (asOf !== null && fact.at > asOf)) return;
  const { times, values } = unpacked(fact.data.points);
  times.forEach((time, i) => time >= from && known.set(time, values[i]!));
}

function inOrder(known: ReadonlyMap<number, number>, until: number): Columns {
  const times = [...known.keys()].filter(time => time <= until).sort((a, b) => a - b);
  return { times, values: times.map(time => known.get(time)!) };
}

const isWriting = (fact: Fact<SignalFact>): fact is Fact<PointsRecorded | PointsRevised> =>
  fact.type === 'PointsRecorded' || fact.type === 'PointsRevised';

const nothingToReplay = (): Rejected =>
  new Rejected('conflict', 'invalid_state', 'The inference has no answer that could be made again');
