import type { Fact } from '../fact.js';
import type {
  ForecastGraded,
  InferenceCompleted,
  InferenceFact,
  InferenceFailed,
  InferenceRequested,
  Kept,
} from './facts.js';

type Parts = { readonly request: readonly string[]; readonly answer: readonly string[] };
/** A fact's data with who and when. */
type Told<F extends InferenceFact> = F['data'] & { readonly at: number; readonly actor: string };

export type InferenceStatus = 'queued' | 'running' | 'completed' | 'graded' | 'failed' | 'cancelled';

export type RecordedInference = {
  readonly status: InferenceStatus;
  readonly parts: Parts;
  readonly requested: Told<InferenceRequested>;
  /** How often work on it began. */
  readonly attempts: number;
  readonly completed: Told<InferenceCompleted> | null;
  readonly failed: Told<InferenceFailed> | null;
  readonly endedAt: number | null;
  readonly grades: readonly ForecastGraded['data'][];
};
export type InferenceState = { readonly status: 'none'; readonly parts: Parts } | RecordedInference;

export const initialState: InferenceState = { status: 'none', parts: { request: [], answer: [] } };

export function evolve(state: InferenceState, fact: Fact<InferenceFact>): InferenceState {
  if (fact.type === 'InferencePartKept') return { ...state, parts: withPart(state.parts, fact.data) };
  if (fact.type === 'InferenceRequested')
    return {
      status: fact.data.queued ? 'queued' : 'running',
      parts: state.parts,
      requested: told(fact),
      attempts: 0,
      completed: null,
      failed: null,
      endedAt: null,
      grades: [],
    };
  return state.status === 'none' ? state : further(state, fact);
}

function further(state: RecordedInference, fact: Fact<InferenceFact>): RecordedInference {
  switch (fact.type) {
    case 'InferenceStarted':
      return { ...state, status: 'running', attempts: fact.data.attempt };
    case 'InferenceCompleted':
      return { ...state, status: 'completed', completed: told(fact), endedAt: fact.at };
    case 'InferenceFailed':
      return { ...state, status: 'failed', failed: told(fact), endedAt: fact.at };
    case 'InferenceCancelled':
      return { ...state, status: 'cancelled', endedAt: fact.at };
    case 'ForecastGraded':
      return graded(state, fact.data);
    default:
      return state;
  }
}

function graded(state: RecordedInference, grade: ForecastGraded['data']): RecordedInference {
  const grades = [...state.grades.filter(({ series }) => series !== grade.series), grade];
  const all = grades.length === state.completed?.read.length;
  return { ...state, grades, ...(all && { status: 'graded' as const }) };
}

/** What was begun twice begins anew with its first part. */
const withPart = (
  parts: Parts,
  { of, part, text }: { of: keyof Parts; part: number; text: string },
): Parts => ({
  ...parts,
  [of]: [...parts[of].slice(0, part), text],
});

const told = <F extends InferenceFact>({ data, at, meta }: Fact<F>): Told<F> => ({
  ...(data as F['data']),
  at,
  actor: meta.actor,
});

/** The whole value of what was kept. */
export const unkept = (kept: Kept, parts: readonly string[]): unknown =>
  'value' in kept ? kept.value : (JSON.parse(parts.join('')) as unknown);
