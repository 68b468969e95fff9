import { counted, named, number, percent, sentence, time, told, type Told } from './sentence.js';
import { countAt, isEnough, of, upTo, type Situation } from './situation.js';

const plain = (text: string): Told => ({ text, facts: [] });

/** How good forecasts were, and who makes them. */
export function sure({ goal, latest, tournament }: Situation): Told {
  const [at, now, contest] = [of(goal), of(latest), of(tournament)];
  const [metric, month] = [named(at('accuracy.metric')), number(at('accuracy.value_30d'))];
  const skill = percent(at('accuracy.skill_vs_naive'));
  const inside = percent(at('accuracy.coverage_80_30d'));
  const level = percent(now('metadata.calibration.level'));
  const graded = told(
    sentence`Over the last month its ${metric} is ${month}.`,
    sentence`Over the last week it is ${number(at('accuracy.value_7d'))}.`,
    sentence`Its skill against seasonal naive is ${skill}.`,
    sentence`Of the actuals ${inside} lay inside of the band for ${level}.`,
  );
  const isGraded = graded.facts.length > 0;
  const steps = counted(at('accuracy.graded_steps'), 'graded step');
  const [model, served] = [named(now('model.name')), named(now('served_by'))];
  const [result, reason] = [named(contest('decision.result')), named(contest('decision.reason'))];
  return told(
    isGraded ? graded : plain('No forecast was graded yet: how good they are is not known.'),
    isGraded && isEnough(goal) ? sentence`That is of ${steps}.` : null,
    isGraded && !isEnough(goal) ? sentence`That is of ${steps}: too few to be sure of it.` : null,
    sentence`The newest forecast was made by ${model} as ${served}.`,
    sentence`The newest tournament: ${result}. ${reason}.`,
  );
}

/** What is known of the data. */
export function quality({ target, latest, goal }: Situation): Told {
  const [at, now] = [of(target), of(latest)];
  const [key, count] = [named(at('key')), counted(at('count'), 'point')];
  const [first, last] = [time(at('first_at')), time(at('last_at'))];
  const [read, filled] = [
    counted(now('metadata.lookback_used'), 'step'),
    counted(now('metadata.filled_points'), 'missing step'),
  ];
  const found = told(
    sentence`${key} has ${count}, from ${first} to ${last}.`,
    sentence`The newest forecast read ${read}, with ${filled} filled.`,
    ...reasons({ goal }, reason => reason === 'target_stale'),
  );
  if (found.text !== '') return found;
  return told(sentence`Nothing is known of the data of its target ${named(of(goal)('target'))}.`);
}

/** What is wrong with the goal, as its health says. */
export const reasons = (
  { goal }: Pick<Situation, 'goal'>,
  isMeant: (reason: string) => boolean,
): (Told | null)[] =>
  upTo(countAt(goal, 'health_reasons')).map(i => {
    const fact = of(goal)(`health_reasons[${i}]`);
    if (!fact || !isMeant(String(fact.value))) return null;
    return sentence`Its health is ${named(of(goal)('health'))}: ${named(fact)}.`;
  });
