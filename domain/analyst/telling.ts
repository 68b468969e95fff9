import { named, number, percent, sentence, time, told, type Shown, type Told } from './sentence.js';
import { countAt, of, textAt, upTo, within, type Ask, type Situation } from './situation.js';

const MOST_EVENTS = 3;
const plain = (text: string): Told => ({ text, facts: [] });

/** Which goal, and what it is at. */
export const standing = ({ goal }: Situation): Told =>
  told(sentence`${named(of(goal)('name'))} is ${named(of(goal)('status'))}.`);

const noForecast = ({ goal }: Situation): Told =>
  told(sentence`The goal is ${named(of(goal)('status'))}, and has no forecast yet.`);

/** When a step of a forecast begins, and its mean. */
const stepIn = (ask: Ask, step: number): readonly [ts: Shown | null, mean: Shown | null] => [
  time(ask(`points[${step}].ts`)),
  number(ask(`points[${step}].mean`)),
];

/** Steps that both of the newest two forecasts have: the place of each in the newer and in the older. */
function common({ latest, previous }: Situation): [newer: number, older: number][] {
  const times = (source: Situation['latest']): (string | null)[] =>
    upTo(countAt(source, 'points')).map(i => textAt(source, `points[${i}].ts`));
  const [newer, older] = [times(latest), times(previous)];
  return newer.flatMap((ts, i): [number, number][] => (older.includes(ts) ? [[i, older.indexOf(ts)]] : []));
}

/** The newest forecast against the one before. */
export function changed(situation: Situation): Told {
  const { latest, previous } = situation;
  const [now, before] = [of(latest), of(previous)];
  if (!latest) return noForecast(situation);
  const [at, was] = [time(now('issued_at')), time(before('issued_at'))];
  if (!previous) return told(sentence`The first forecast was issued at ${at}; nothing went before it.`);
  const steps = common(situation);
  const held = ([i, j]: [number, number]): Told | null => {
    const [ts, mean] = stepIn(now, i);
    return sentence`For ${ts} it says ${mean}; before it was ${stepIn(before, j)[1]}.`;
  };
  return told(
    sentence`The newest forecast was issued at ${at}, the one before at ${was}.`,
    steps.length === 0 ? plain('They have no step in common.') : held(steps[0]!),
    steps.length > 1 ? held(steps.at(-1)!) : null,
  );
}

/** What moved the newest forecast. */
export function why({ goal, latest, previous }: Situation): Told {
  if (!latest) return plain('Nothing was forecast yet, so there is nothing to explain.');
  const [now, before] = [of(latest), of(previous)];
  const moves = upTo(countAt(within(latest, 'metadata'), 'applied_events'), MOST_EVENTS).map(i => {
    const at = (field: string) => now(`metadata.applied_events[${i}].${field}`);
    const [stream, when, peak] = [named(at('stream')), time(at('occurred_at')), number(at('effect_peak'))];
    return sentence`An event of ${stream} at ${when} moves it by ${peak} at most.`;
  });
  const shock = textAt(latest, 'shock_state') === 'normal' ? null : shockOf(now);
  const causes = causesOf(goal);
  const [name, other] = [named(now('model.name')), named(before('model.name'))];
  const isSame = name?.text === other?.text;
  const model =
    sentence`It was made by ${name}, the one before by ${other}.` ?? sentence`It was made by ${name}.`;
  const isMoved = [...moves, shock, ...causes].some(one => one !== null);
  return told(
    ...[...moves, shock, ...causes, isSame ? null : model],
    sentence`Its newest value is of ${time(now('metadata.data_cutoff'))}.`,
    isMoved ? null : plain('No event moved it: it follows from the values of its target.'),
  );
}

/** Events that the goal's shock follows from; those that were removed count no more. */
function causesOf(goal: Situation['goal']): (Told | null)[] {
  const isRecovering = textAt(goal, 'shock_state') === 'recovering';
  const counting = upTo(countAt(within(goal, 'shock'), 'causes')).filter(
    i => textAt(goal, `shock.causes[${i}].removed`) === null,
  );
  return counting.slice(0, MOST_EVENTS).map(i => {
    const at = (field: string) => of(goal)(`shock.causes[${i}].${field}`);
    const [stream, when] = [named(at('stream')), time(at('occurred_at'))];
    return isRecovering
      ? sentence`The goal recovers from a shock by an event of ${stream} at ${when}.`
      : sentence`The goal is in a shock by an event of ${stream} at ${when}.`;
  });
}

function shockOf(now: Ask): Told | null {
  const [state, left] = [named(now('shock_state')), percent(now('metadata.shock.remaining'))];
  const factor = number(now('metadata.shock.band_factor'));
  return told(
    sentence`It was made in a state of ${state}.`,
    sentence`Of the response ${left} remained, and bands were up to ${factor} times as wide.`,
  );
}

/** What the newest forecast says. */
export function next(situation: Situation): Told {
  const { latest } = situation;
  if (!latest) return noForecast(situation);
  const now = of(latest);
  const last = countAt(latest, 'points') - 1;
  const [[ts, mean], [end, atEnd]] = [stepIn(now, 0), stepIn(now, last)];
  const level = percent(now('metadata.calibration.level'));
  const low = number(now('points[0].quantiles[0.1]'));
  const high = number(now('points[0].quantiles[0.9]'));
  return told(
    sentence`For ${ts} it expects ${mean}.`,
    sentence`With ${level} it lies between ${low} and ${high}.`,
    last > 0 ? sentence`At the end of the horizon, ${end}, it expects ${atEnd}.` : null,
    last < 0 ? plain('The newest forecast has no steps.') : null,
  );
}
