import type { AnalystAnswered } from '../../domain/analyst/facts.js';

/** An answer that was given, and when (epoch ms); `position`: of its fact in the log. */
export type AnswerDoc = {
  readonly _id: string;
  readonly goal: string;
  readonly answer_id: string;
  readonly at: number;
  readonly position: number;
  readonly answer: AnalystAnswered['data'];
};

export const answerDocId = (workspace: string, answerId: string): string => `${workspace}/${answerId}`;
export const goalKey = (workspace: string, goalId: string): string => `${workspace}/${goalId}`;
