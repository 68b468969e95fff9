import type { Source, StoredFact } from './fact.js';
import { intentOf, type Intent } from './intents.js';
import { namedIn } from './naming.js';
import { told, type Told } from './sentence.js';
import { isAbove, isEnough, of, textAt, type Situation } from './situation.js';
import { suggestedFor, type SuggestedCall } from './suggesting.js';
import { changed, next, why } from './telling.js';
import { drivers, eventEffects } from './telling-of-edges.js';
import { quality, sure } from './telling-of-record.js';

export const CONFIDENCES = ['high', 'medium', 'low'] as const;
export type Confidence = (typeof CONFIDENCES)[number];
export type Answered = {
  readonly intent: Intent;
  readonly answer: string;
  readonly facts: readonly StoredFact[];
  readonly suggestedCalls: readonly SuggestedCall[];
  readonly confidence: Confidence;
};

/** Answers a question about a goal from what is stored of it, and from nothing else. */
export function answerTo(situation: Situation, question: string): Answered {
  const intent = intentOf(question);
  const { text, facts } = TELLS[intent](situation, question);
  return {
    ...{ intent, answer: text, facts },
    suggestedCalls: suggestedFor(intent, { ...situation, edges: edgesIn(facts, situation.edges) }),
    confidence: confidenceIn(intent, situation, facts),
  };
}

const CANNOT: Told = {
  text:
    'I do not know what that asks. I can answer: why the forecast changed, what comes next, what if '
    + 'something were otherwise, how accurate forecasts are, what drives the goal, what effect events have, '
    + 'how the last two forecasts compare, and how good its data are.',
  facts: [],
};

const TELLS: Readonly<Record<Intent, (situation: Situation, question: string) => Told>> = {
  why_changed: situation => told(changed(situation), why(situation)),
  what_next: next,
  what_if: (situation, question) =>
    told(
      {
        text: situation.latest
          ? 'A scenario says what the newest forecast would have been if something else were so.'
          : 'A scenario says what a forecast would have been if something else were so.',
        facts: [],
      },
      next(situation),
      situation.edges.length > 0 || namedIn(situation, question) ? drivers(situation, question) : null,
    ),
  accuracy: sure,
  drivers,
  event_effect: eventEffects,
  compare: changed,
  data_quality: quality,
  unknown: () => CANNOT,
};

/** Those that are told of. */
const edgesIn = (facts: readonly StoredFact[], edges: readonly Source[]): Source[] =>
  edges.filter(({ id }) => facts.some(fact => fact.kind === 'edge' && fact.id === id));

/** What an answer of a kind stands on when it is sure. */
const FIRM: readonly string[] = ['validated', 'pinned'];

/**
 * `low`: nothing is stored of what was asked, it was not understood, few steps were graded where accuracy was
 * asked for, or none of the edges that are told of as acting made forecasts better. `high`: of drivers and
 * events, one that did stands firm; of data, the target is there and nothing is wrong; of all else, the
 * champion made the newest forecast, its health is `ok`, and enough steps were graded. Else `medium`.
 */
function confidenceIn(
  intent: Intent,
  { goal, latest, edges, target }: Situation,
  facts: readonly StoredFact[],
) {
  if (intent === 'unknown' || facts.length === 0) return 'low';
  const isWell = textAt(goal, 'health') === 'ok';
  const acting = edgesIn(facts, edges);
  const useful = acting.filter(edge => isAbove(of(edge)('lift'), 0));
  const isFirmEdge = useful.some(edge => FIRM.includes(textAt(edge, 'status') ?? ''));
  const isFirm = {
    ...{ drivers: isFirmEdge, event_effect: isFirmEdge },
    data_quality: target !== null && isWell,
  }[intent as 'drivers' | 'event_effect' | 'data_quality'];
  const isOfEdges = intent === 'drivers' || intent === 'event_effect';
  if (isOfEdges && acting.length > 0 && useful.length === 0) return 'low';
  if (intent === 'accuracy' && !isEnough(goal)) return 'low';
  const isGraded = of(goal)('accuracy.value_30d') !== null && isEnough(goal);
  const isServed = textAt(latest, 'served_by') === 'champion';
  return (isFirm ?? (isWell && isGraded && isServed)) ? 'high' : 'medium';
}
