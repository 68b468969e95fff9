import { named, sentence, told, type Told } from './sentence.js';
import { of, textAt, type Situation } from './situation.js';
import { reasons } from './telling-of-record.js';

/** What is to be done, by what is wrong. */
const ADVICE: Readonly<Record<string, string>> = {
  discovery_failed: 'Run a discovery again, or look at why it failed.',
  no_champion: 'Let models compete for it in a tournament.',
  champion_not_served: 'See to the deployment of the champion, or let models compete again.',
  target_stale: 'See to the source of its target: no data comes.',
  forecast_missed: 'Look at the timeline for why a forecast was missed.',
  credits_exhausted: 'Add credits: seasonal naive stands in.',
  budget_exhausted: 'Raise max_credit_per_month, or wait for the next month: seasonal naive stands in.',
  alert_failing: 'Look at the alert that cannot be checked.',
};
const STATUS: Readonly<Record<string, string>> = {
  draft: 'Activate it to have it forecast.',
  discovering: 'Wait: what drives it is being looked for.',
  competing: 'Wait: models are competing for it.',
  paused: 'Resume it to have it forecast again.',
  archived: 'Restore it to use it again.',
};

/** What somebody who looks after the goal should do. */
export function advice(situation: Situation): Told {
  const { goal, edges } = situation;
  const wrong = reasons(situation, () => true).filter(one => one !== null);
  const steps = Object.entries(ADVICE).filter(([reason]) =>
    wrong.some(({ facts }) => facts.some(({ value }) => value === reason)),
  );
  const texts = [...steps.map(([, text]) => text), STATUS[textAt(goal, 'status') ?? '']].filter(
    text => text !== undefined,
  );
  if (texts.length === 0 && edges.length === 0)
    texts.push('Nothing is wrong. A discovery may tell what drives it.');
  if (texts.length === 0) texts.push('Nothing needs to be done.');
  return told(
    sentence`Its health is ${named(of(goal)('health'))}.`,
    ...wrong,
    ...texts.map(text => ({ text, facts: [] })),
  );
}
