import { CONFIDENCES } from '../../domain/analyst/answering.js';
import { INTENTS } from '../../domain/analyst/intents.js';
import { array, nullable, object } from '../../json-schema.js';
import { perPageMembers, perPageQuery } from '../edge/paging.js';

const text = { type: 'string' } as const;
const time = { type: 'string', format: 'date-time' } as const;
const asOf = {
  ...text,
  description: 'a past moment: by what was known then; now when absent',
  examples: ['2026-03-01T12:00:00Z'],
} as const;

export const goalParams = object({
  goal_id: { type: 'string', maxLength: 64, description: 'id of a goal', examples: ['goa_0123456789abcdef'] },
});
export const briefQuery = object({}, { as_of: asOf });
export const listQuery = object(perPageQuery());
/** Today's answer for a misspelt past would be the worst failure. */
const misspelt = { not: {}, description: 'no name of anything: `as_of` is meant' } as const;
export const askBody = {
  ...object(
    { question: { type: 'string', minLength: 1, maxLength: 1_000, pattern: '\\S' } },
    { as_of: asOf, asof: misspelt, asOf: misspelt, 'as-of': misspelt },
  ),
  examples: [{ question: 'Why did the forecast change?' }],
} as const;

const facts = {
  ...array(
    object({
      kind: { enum: ['goal', 'forecast', 'edge', 'tournament', 'signal', 'discovery'] },
      id: text,
      field: { ...text, description: 'path in what the API shows of it: `points[0].mean`' },
      value: { type: ['string', 'number'], description: 'as it stands there' },
    }),
  ),
  description: 'what the text rests on: each number in it is here, rounded, as percent or in units of time',
} as const;
export const briefAnswer = object({
  data: object({
    goal_id: text,
    headline: text,
    sections: array(object({ title: text, text, facts })),
    as_of: time,
    generated_at: time,
  }),
});
const answer = object({
  answer_id: text,
  goal_id: text,
  question: text,
  intent: { enum: INTENTS },
  answer: text,
  facts,
  suggested_calls: array(
    object({
      method: { enum: ['GET', 'POST'] },
      path: text,
      body: nullable({ type: 'object', additionalProperties: {} }),
    }),
  ),
  confidence: { enum: CONFIDENCES },
  as_of: time,
  asked_by: { ...text, description: 'uid' },
  created_at: time,
});
export const askAnswer = object({ data: answer });
export const listAnswer = object({ data: object({ answers: array(answer), ...perPageMembers }) });
