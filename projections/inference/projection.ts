import type { Fact } from '../../domain/fact.js';
import type {
  ForecastGraded,
  InferenceCompleted,
  InferenceFact,
  InferenceFailed,
  InferenceRequested,
} from '../../domain/inference/facts.js';
import { iso } from '../../domain/time.js';
import { projection, type After, type Before, type Projection } from '../engine/projection.js';
import {
  inferenceDocId,
  latencyBucket,
  type InferenceCountDoc,
  type InferenceDoc,
  type UsageDoc,
} from './documents.js';

type Docs = {
  inference_counts: InferenceCountDoc;
  inference_usage: UsageDoc;
  inferences: InferenceDoc;
};
type Ended = Fact<InferenceCompleted | InferenceFailed>;

/** Inferences as lists show them, and how much was asked for. */
export const inferenceProjection: Projection = projection<Docs, InferenceFact>({
  name: 'inference',
  version: 2,
  carries: [1],
  collections: {
    inference_counts: {
      indexes: [],
      idOf: ({ type, meta }) => (type === 'InferenceRequested' ? meta.workspace : null),
    },
    inference_usage: { indexes: [['workspace', 'day', '_id']], idOf: usageId },
    inferences: {
      indexes: [
        ['workspace', 'created_at', '_id'],
        ['workspace', 'promotion_id', 'created_at', '_id'],
        ['workspace', 'goal_id', 'created_at', '_id'],
        ['workspace', 'status', 'created_at', '_id'],
        ['open', 'workspace', 'created_at', '_id'],
        ['awaits', 'until', '_id'],
        ['awaits', 'over', '_id'],
      ],
      idOf: ({ data, meta }) => inferenceDocId(meta.workspace!, data.inferenceId),
    },
  },
  on: {
    InferenceRequested: ({ inference_counts: counts }, fact) => ({
      inferences: requested(fact),
      inference_counts: { _id: fact.meta.workspace!, count: (counts?.count ?? 0) + 1 },
    }),
    InferenceStarted: before => became(before, { status: 'running' }),
    InferenceCompleted: (before, fact) => ({
      ...became(before, completed(fact)),
      ...used(before, fact),
    }),
    InferenceFailed: (before, fact) => ({
      ...became(before, { status: 'failed', open: false, took_ms: fact.data.tookMs }),
      ...used(before, fact),
    }),
    InferenceCancelled: before => became(before, { status: 'cancelled', open: false }),
    ForecastGraded: graded,
  },
});

const became = ({ inferences }: Before<Docs>, members: Partial<InferenceDoc>): After<Docs> =>
  inferences ? { inferences: { ...inferences, ...members } } : {};

const awaitsNothing = { awaits: null, until: null, ends: null, over: null } as const;

const requested = ({ data, meta, at }: Fact<InferenceRequested>): InferenceDoc => ({
  _id: inferenceDocId(meta.workspace!, data.inferenceId),
  workspace: meta.workspace!,
  inference_id: data.inferenceId,
  task: data.task,
  status: data.queued ? 'queued' : 'running',
  open: data.queued,
  created_at: at,
  promotion_id: data.promotionId,
  ...(data.goalId !== undefined && { goal_id: data.goalId }),
  token_id: tokenIn(meta.actor),
  key: data.key,
  series: data.series,
  horizon: data.horizon,
  took_ms: null,
  ...(data.credits && { credits: data.credits }),
  ...awaitsNothing,
  scores: {},
});

const completed = ({ data }: Fact<InferenceCompleted>): Partial<InferenceDoc> => ({
  status: 'completed',
  open: false,
  took_ms: data.tookMs,
  series: data.series,
  // Another may have answered than was to be asked
  ...(data.goal && { promotion_id: data.promotionId }),
  ...(data.awaits && {
    awaits: awaitedId(data.awaits.workspace, data.awaits.key),
    until: data.awaits.until,
    ends: data.awaits.ends,
    over: data.awaits.over,
  }),
});

function graded({ inferences: doc }: Before<Docs>, { data }: Fact<ForecastGraded>): After<Docs> {
  if (!doc) return {};
  const scores = { ...doc.scores, [data.series]: data.grade.mase };
  const all = Object.keys(scores).length === doc.series;
  return {
    inferences: { ...doc, scores, ...(all && { status: 'graded' as const, ...awaitsNothing }) },
  };
}

/** How a signal, or the base of several, is called in `awaits`. */
export const awaitedId = (workspace: string, key: string): string => `${workspace}/${key}`;

function usageId(fact: Fact<InferenceFact>): string | null {
  if (fact.type !== 'InferenceCompleted' && fact.type !== 'InferenceFailed') return null;
  const { data, meta, at } = fact as Ended;
  const goalId = goalOf(fact as Ended);
  const of = [meta.workspace, dayOf(at), data.promotionId, tokenIn(data.askedBy)];
  return (goalId === undefined ? of : [...of, goalId]).join('/');
}

const goalOf = ({ type, data }: Ended): string | undefined =>
  type === 'InferenceCompleted' ? data.goal?.goalId : data.goalId;

function used({ inference_usage: before, inferences }: Before<Docs>, fact: Ended): After<Docs> {
  const { type, data, meta, at } = fact;
  const usage: UsageDoc = before ?? {
    _id: usageId(fact)!,
    workspace: meta.workspace!,
    day: dayOf(at),
    promotion_id: data.promotionId,
    token_id: tokenIn(data.askedBy),
    ...{ calls: 0, errors: 0, series: 0, output_points: 0, latencies: {} },
  };
  const goalId = goalOf(fact);
  const bucket = latencyBucket(data.tookMs);
  const isMade = type === 'InferenceCompleted';
  const made = isMade ? data : { series: 0, outputPoints: 0 };
  const credits = isMade ? (inferences?.credits ?? 0) : 0;
  return {
    inference_usage: {
      ...usage,
      ...(goalId !== undefined && { goal_id: goalId }),
      calls: usage.calls + 1,
      errors: usage.errors + Number(type === 'InferenceFailed'),
      series: usage.series + made.series,
      output_points: usage.output_points + made.outputPoints,
      credits: (usage.credits ?? 0) + credits,
      latencies: { ...usage.latencies, [bucket]: (usage.latencies[bucket] ?? 0) + 1 },
    },
  };
}

export const dayOf = (at: number): string => iso(at).slice(0, 10);
const tokenIn = (actor: string): string => actor.replace(/^token:/, '');
