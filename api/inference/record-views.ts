import { creditsNumber } from '../../domain/billing/amounts.js';
import { averageGrade, type Grade } from '../../domain/inference/grade.js';
import { timeIn, type KeptForecasts } from '../../domain/inference/kept-forecast.js';
import { unkept, type RecordedInference } from '../../domain/inference/state.js';
import { iso } from '../../domain/time.js';
import type { InferenceDoc } from '../../projections/inference/documents.js';
import { JsonText } from '../edge/row.js';
import { gradeView } from './grade-view.js';
import { answerView } from './views.js';

type Caller = { readonly token_id: string; readonly name: string | null };
/** What came where series were forecast: a column for each, null where nothing came. */
export type Actuals = readonly { readonly series: number; readonly values: readonly (number | null)[] }[];

/** All of an inference as JSON. A large request stands there as it was kept, and is never parsed. */
export function recordText(...of: Parameters<typeof recordView>): JsonText {
  const [, { requested, parts }] = of;
  const view = JSON.stringify(recordView(...of));
  const request =
    'value' in requested.request ? JSON.stringify(requested.request.value) : parts.request.join('');
  return new JsonText(`${view.slice(0, -1)},"request":${request}}`);
}

function recordView(
  inferenceId: string,
  record: RecordedInference,
  { caller, actuals }: { readonly caller: Caller; readonly actuals: Actuals },
) {
  const { requested, completed, failed, endedAt, parts, status, grades } = record;
  return {
    inference_id: inferenceId,
    status,
    task: requested.task,
    promotion_id: (completed ?? requested).promotionId,
    goal_id: requested.goalId ?? null,
    created_at: iso(requested.at),
    ended_at: endedAt === null ? null : iso(endedAt),
    caller,
    answer: completed && answerView(inferenceId, record, unkept(completed.answer, parts.answer)),
    error: failed && { code: failed.code, message: failed.message },
    actuals: completed?.task === 'forecast' ? actualsView(record, actuals) : null,
    grade: status === 'graded' ? gradesView(record, averageGrade(grades.map(({ grade }) => grade))) : null,
  };
}

function actualsView({ completed, parts }: RecordedInference, actuals: Actuals) {
  if (actuals.length === 0) return null;
  const { forecasts } = unkept(completed!.answer, parts.answer) as KeptForecasts;
  return actuals.map(({ series, values }) => ({
    id: forecasts[series]!.id,
    points: values.map((value, h) => ({ ts: iso(timeIn(forecasts[series]!, h)), value })),
  }));
}

function gradesView({ grades, completed, parts }: RecordedInference, mean: Grade) {
  const { forecasts } = unkept(completed!.answer, parts.answer) as KeptForecasts;
  return {
    metric: 'mase',
    value: mean.mase,
    coverage: mean.coverage80,
    ...gradeView(mean),
    series: grades.map(({ series, grade }) => ({
      id: forecasts[series]!.id,
      period: forecasts[series]!.period,
      ...gradeView(grade),
    })),
  };
}

/** An inference as a row of the history. */
export function historyRow(doc: InferenceDoc, name: string | null) {
  const scores = Object.values(doc.scores).filter(score => score !== null);
  return {
    inference_id: doc.inference_id,
    task: doc.task,
    status: doc.status,
    created_at: iso(doc.created_at),
    promotion_id: doc.promotion_id,
    goal_id: doc.goal_id ?? null,
    caller: { token_id: doc.token_id, name },
    key: doc.key,
    horizon: doc.horizon,
    series: doc.series,
    latency_ms: doc.took_ms,
    credits: isAnswered(doc) ? creditsNumber(doc.credits ?? 0) : 0,
    graded: doc.status === 'graded',
    score:
      doc.status === 'graded' && scores.length > 0
        ? scores.reduce((sum, score) => sum + score, 0) / scores.length
        : null,
  };
}

const isAnswered = ({ status }: InferenceDoc): boolean => status === 'completed' || status === 'graded';
