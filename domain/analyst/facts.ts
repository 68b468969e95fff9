import type { Message } from '../fact.js';
import type { Answered } from './answering.js';

/** A question about a goal was answered. `asOf`: by what was known then (epoch ms); null: by all. */
export type AnalystAnswered = Message<
  'AnalystAnswered',
  Answered & {
    readonly answerId: string;
    readonly goalId: string;
    readonly question: string;
    readonly asOf: number | null;
    /** The user who asked. */
    readonly askedBy: string;
  }
>;

/** Journal `analyst_answer-<workspace>.<answer_id>`. */
export type AnalystFact = AnalystAnswered;
