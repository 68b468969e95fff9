import type { Decider } from '../decider.js';
import type { Message } from '../fact.js';
import type { AnalystAnswered, AnalystFact } from './facts.js';

/** Keeps an answer; under an id that is taken none is. */
export type KeepAnswer = Message<
  'KeepAnswer',
  { readonly workspace: string; readonly answer: AnalystAnswered['data'] }
>;

/** Answers of the analyst: each is given once, and never changes. */
export const analystAnswers: Decider<KeepAnswer, AnalystFact, boolean> = {
  category: 'analyst_answer',
  idOf: ({ data: { workspace, answer } }) => `${workspace}.${answer.answerId}`,
  initialState: false,
  decide: ({ data: { answer } }, isGiven) => (isGiven ? [] : [{ type: 'AnalystAnswered', data: answer }]),
  evolve: () => true,
};
