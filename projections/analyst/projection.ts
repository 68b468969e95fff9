import type { AnalystAnswered } from '../../domain/analyst/facts.js';
import type { Fact } from '../../domain/fact.js';
import type { GoalDeleted } from '../../domain/goals/facts.js';
import { projection, type Projection } from '../engine/projection.js';
import { answerDocId, goalKey, type AnswerDoc } from './documents.js';

type Docs = { analyst_answers: AnswerDoc };
type Told = AnalystAnswered | GoalDeleted;

const idOf = ({ data, meta }: Fact<Told>): string | null =>
  'answerId' in data ? answerDocId(meta.workspace!, data.answerId) : null;

/** Answers about goals; they go with their goal. */
export const analystProjection: Projection = projection<Docs, Told>({
  name: 'analyst',
  version: 1,
  collections: { analyst_answers: { indexes: [['goal', 'position', '_id']], idOf } },
  on: {
    AnalystAnswered: (_, { data, meta, at, position }) => ({
      analyst_answers: {
        _id: answerDocId(meta.workspace!, data.answerId),
        ...{ goal: goalKey(meta.workspace!, data.goalId), answer_id: data.answerId, at, position },
        answer: data,
      },
    }),
  },
  sweeps: {
    GoalDeleted: ({ data, meta }) => ({ analyst_answers: { goal: goalKey(meta.workspace!, data.goalId) } }),
  },
});
