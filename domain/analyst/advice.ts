import { counted, named, percent, sentence, told, type Told } from './sentence.js';
import { isEnough, of, textAt, type Situation } from './situation.js';
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

/** So many actuals should lie in the band that `accuracy.coverage_80_30d` tells of, and what is far off. */
const LEVEL = 0.8;
const FAR_OFF = 0.15;
const BANDS = {
  narrow: 'Leave more room than its bands say; if they stay too narrow, let models compete again.',
  wide: 'Its bands say less than forecasts keep; if they stay too wide, let models compete again.',
} as const;
const UNCALIBRATED = 'Set options.calibration to conformal: bands then follow what was graded.';

/** How bands are wrong by far; null: they are not, or too few steps were graded to tell. */
function bandsOf({ goal }: Situation): keyof typeof BANDS | null {
  const inside = of(goal)('accuracy.coverage_80_30d')?.value;
  if (typeof inside !== 'number' || !isEnough(goal)) return null;
  if (Math.abs(inside - LEVEL) < FAR_OFF) return null;
  return inside < LEVEL ? 'narrow' : 'wide';
}

/** What somebody who looks after the goal should do. */
export function advice(situation: Situation): Told {
  const { goal, latest, edges } = situation;
  const wrong = reasons(situation, () => true).filter(one => one !== null);
  const steps = Object.entries(ADVICE).filter(([reason]) =>
    wrong.some(({ facts }) => facts.some(({ value }) => value === reason)),
  );
  const bands = bandsOf(situation);
  const isModels = textAt(goal, 'options.calibration') === 'model';
  const texts = [
    ...steps.map(([, text]) => text),
    bands && (isModels ? UNCALIBRATED : BANDS[bands]),
    STATUS[textAt(goal, 'status') ?? ''],
  ].filter(text => typeof text === 'string');
  const inside = percent(of(goal)('accuracy.coverage_80_30d'));
  const graded = counted(of(goal)('accuracy.graded_steps'), 'graded step');
  const level = percent(of(latest)('metadata.calibration.level'));
  if (texts.length === 0 && edges.length === 0)
    texts.push('Nothing is wrong. A discovery may tell what drives it.');
  if (texts.length === 0) texts.push('Nothing needs to be done.');
  return told(
    // Each of the reasons says it, too
    wrong.length === 0 ? sentence`Its health is ${named(of(goal)('health'))}.` : null,
    ...wrong,
    bands
      && (sentence`Of ${graded}, ${inside} lay inside of the band for ${level}.`
        ?? sentence`Of ${graded}, ${inside} lay inside of its bands.`),
    ...texts.map(text => ({ text, facts: [] })),
  );
}
