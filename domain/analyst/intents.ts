export const INTENTS = [
  ...(['why_changed', 'what_next', 'what_if', 'accuracy', 'drivers', 'event_effect'] as const),
  ...(['compare', 'data_quality', 'unknown'] as const),
] as const;
export type Intent = (typeof INTENTS)[number];

const words = (...alternatives: readonly string[]): RegExp => new RegExp(`\\b(${alternatives.join('|')})\\b`);

/** What words ask for, the first that fits: `what if` is asked of whatever else a question names. */
const RULES: readonly (readonly [Intent, RegExp])[] = [
  [
    'what_if',
    words('what if', 'what would happen', 'what happens if', 'suppose', 'assume', 'assuming', 'scenarios?'),
  ],
  ['compare', words('compar(e|ed|ing|ison)', 'differences?', 'differ', 'versus', 'vs')],
  [
    'event_effect',
    words('effects?', 'impacts?', 'influences?', 'respon(ds?|se)', 'reacts?', 'reaction', 'events?'),
  ],
  ['data_quality', words('data', 'gaps?', 'missing', 'stale', 'points')],
  [
    'accuracy',
    words(
      'accura(te|cy)',
      'errors?',
      'wrong',
      'trust',
      'reliab(le|ility)',
      'skill',
      'coverage',
      'how sure',
      'graded?',
    ),
  ],
  ['drivers', words('driv(es?|en|ers?|ing)', 'causes?', 'depends?', 'edges?', 'factors?')],
  [
    'why_changed',
    words(
      'chang(es?|ed|ing)',
      'moved',
      'why.*(forecasts?|goal|value|target|higher|lower|rise|rose|fall|fell|drop|jump)',
    ),
  ],
  [
    'what_next',
    words('next', 'forecasts?', 'predict(s|ed|ions?)?', 'expect(s|ed|ations?)?', 'outlook', 'ahead'),
  ],
];

/** What a question is about; what none of the rules knows is not guessed at. */
export function intentOf(question: string): Intent {
  const asked = question.toLowerCase().replaceAll(/\s+/g, ' ');
  return RULES.find(([, pattern]) => pattern.test(asked))?.[0] ?? 'unknown';
}
