import { iso } from '../time.js';
import type { StoredFact } from './fact.js';
import { duration, named, number, percent, sentence, told, type Shown, type Told } from './sentence.js';
import { countAt, numberAt, of, textAt, type Situation } from './situation.js';

const MOST_EVENTS = 3;
const MOST_EDGES = 5;
const plain = (text: string): Told => ({ text, facts: [] });

/** A time as ISO 8601, also where it is stored as epoch ms. */
const time = (fact: StoredFact | null): Shown | null => {
  if (fact === null) return null;
  return { fact, text: typeof fact.value === 'number' ? iso(fact.value) : fact.value };
};
const upTo = (count: number, most: number): number[] =>
  Array.from({ length: Math.min(count, most) }, (_, i) => i);

/** Which goal, and what it is at. */
export const standing = ({ goal }: Situation): Told =>
  told(sentence`${named(of(goal)('name'))} is ${named(of(goal)('status'))}.`);

const noForecast = ({ goal }: Situation): Told =>
  told(sentence`The goal is ${named(of(goal)('status'))}, and has no forecast yet.`);

/** A step that both of the newest two forecasts have, the first or the last: its place in each; null: there is none. */
function common({ latest, previous }: Situation, which: 'first' | 'last'): [number, number] | null {
  const times = (source: Situation['latest']): (string | null)[] =>
    upTo(countAt(source, 'points'), Infinity).map(i => textAt(source, `points[${i}].ts`));
  const [is, was] = [times(latest), times(previous)];
  const both = is.flatMap((ts, i): [number, number][] => {
    const before = was.indexOf(ts);
    return before < 0 ? [] : [[i, before]];
  });
  return both.at(which === 'first' ? 0 : -1) ?? null;
}

/** The newest forecast against the one before. */
export function changed(situation: Situation): Told {
  const { latest, previous } = situation;
  const [now, before] = [of(latest), of(previous)];
  if (!latest) return noForecast(situation);
  if (!previous)
    return told(
      sentence`The first forecast was issued at ${time(now('issued_at'))}; nothing went before it.`,
    );
  const step = common(situation, 'first');
  const issued = sentence`The newest forecast was issued at ${time(now('issued_at'))}, the one before at ${time(before('issued_at'))}.`;
  if (!step) return told(issued, plain('They have no step in common.'));
  const [i, j] = step;
  const end = common(situation, 'last')!;
  const [k, l] = end;
  return told(
    issued,
    sentence`For ${time(now(`points[${i}].ts`))} it says ${number(now(`points[${i}].mean`))}; before it was ${number(before(`points[${j}].mean`))}.`,
    k === i
      ? null
      : sentence`For ${time(now(`points[${k}].ts`))} it says ${number(now(`points[${k}].mean`))}; before it was ${number(before(`points[${l}].mean`))}.`,
  );
}

/** What moved the newest forecast. */
export function why(situation: Situation): Told {
  const { goal, latest, previous } = situation;
  if (!latest) return plain('Nothing was forecast yet, so there is nothing to explain.');
  const [now, before] = [of(latest), of(previous)];
  const events = upTo(
    countAt({ ...latest, shown: (latest.shown as Shaped).metadata }, 'applied_events'),
    MOST_EVENTS,
  ).map(i => {
    const at = (field: string) => now(`metadata.applied_events[${i}].${field}`);
    return sentence`An event of ${named(at('stream'))} at ${time(at('occurred_at'))} moves it by ${number(at('effect_peak'))} at most.`;
  });
  const isInShock = textAt(latest, 'shock_state') !== 'normal';
  const shock = isInShock
    ? sentence`It was made in a state of ${named(now('shock_state'))}: ${percent(now('metadata.shock.remaining'))} of the response remained, and bands were ${number(now('metadata.shock.band_factor'))} times as wide.`
    : null;
  const inShock = { ...goal, shown: (goal.shown as Shaped).shock ?? {} };
  const causes = upTo(countAt(inShock, 'causes'), MOST_EVENTS).map(i => {
    const at = (field: string) => of(goal)(`shock.causes[${i}].${field}`);
    return sentence`The goal is in a shock by an event of ${named(at('stream'))} at ${time(at('occurred_at'))}.`;
  });
  const isSame = textAt(latest, 'model.name') === textAt(previous, 'model.name');
  const model = isSame
    ? null
    : (sentence`It was made by ${named(now('model.name'))}, the one before by ${named(before('model.name'))}.`
      ?? sentence`It was made by ${named(now('model.name'))}.`);
  const read = sentence`Its newest value is of ${time(now('metadata.data_cutoff'))}.`;
  const isMoved = [...events, shock, ...causes].some(one => one !== null);
  const nothing = isMoved ? null : plain('No event moved it: it follows from the values of its target.');
  return told(...events, shock, ...causes, model, read, nothing);
}
type Shaped = { readonly metadata?: unknown; readonly shock?: unknown };

/** What the newest forecast says. */
export function next(situation: Situation): Told {
  const { latest } = situation;
  if (!latest) return noForecast(situation);
  const now = of(latest);
  const last = countAt(latest, 'points') - 1;
  return told(
    sentence`For ${time(now('points[0].ts'))} it expects ${number(now('points[0].mean'))}.`,
    sentence`With ${percent(now('metadata.calibration.level'))} it lies between ${number(now('points[0].quantiles[0.1]'))} and ${number(now('points[0].quantiles[0.9]'))}.`,
    last > 0
      ? sentence`At the end of the horizon, ${time(now(`points[${last}].ts`))}, it expects ${number(now(`points[${last}].mean`))}.`
      : null,
  );
}

/** How good forecasts were, and who makes them. */
export function sure({ goal, latest, tournament }: Situation): Told {
  const [at, now, contest] = [of(goal), of(latest), of(tournament)];
  const graded = told(
    sentence`Over the last month its ${named(at('accuracy.metric'))} is ${number(at('accuracy.value_30d'))}.`,
    sentence`Over the last week it is ${number(at('accuracy.value_7d'))}.`,
    sentence`It loses ${percent(at('accuracy.skill_vs_naive'))} less than seasonal naive.`,
    sentence`Of the actuals ${percent(at('accuracy.coverage_80_30d'))} lay inside of the band for ${percent(now('metadata.calibration.level'))}.`,
  );
  const none =
    graded.facts.length > 0 ? null : plain('No forecast was graded yet: how good they are is not known.');
  return told(
    graded.facts.length > 0 ? graded : null,
    none,
    sentence`The newest forecast was made by ${named(now('model.name'))} as ${named(now('served_by'))}.`,
    sentence`The newest tournament has ${named(contest('decision.result'))} the champion: ${named(contest('decision.reason'))}.`,
  );
}

/** What drives the goal. */
export function drivers({ edges }: Situation): Told {
  if (edges.length === 0)
    return plain('No edge acts on the goal: what drives it is not known, or nothing does.');
  return told(
    ...edges.slice(0, MOST_EDGES).map(edge => {
      const at = of(edge);
      return sentence`${named(at('source_key'))} (${named(at('kind'))}, ${named(at('status'))}) removes ${percent(at('lift'))} of the error.`;
    }),
  );
}

/** How the target answers events: those of the streams that a question names, or of all. */
export function eventEffects({ edges }: Situation, question: string): Told {
  const streams = edges.filter(edge => textAt(edge, 'kind') === 'event_stream');
  if (streams.length === 0) return plain('No edge leads from a stream of events to the goal.');
  const asked = streams.filter(edge => question.includes(textAt(edge, 'source_key') ?? '\0'));
  return told(
    ...(asked.length > 0 ? asked : streams.slice(0, MOST_EDGES)).flatMap(edge => {
      const at = of(edge);
      const peak = peakIn(edge);
      return [
        sentence`Knowing the events of ${named(at('source_key'))} removes ${percent(at('lift'))} of the error.`,
        sentence`At the peak, ${duration(at('optimal_lag_s'))} after it, an event moves the target by ${number(at(`response_curve.points[${peak}].effect`))} usual errors.`,
        sentence`Half of that is left after ${duration(at('half_life_s'))}.`,
        sentence`That is seen in ${number(at('n_occurrences'))} events.`,
      ];
    }),
  );
}

function peakIn(edge: Situation['edges'][number]): number {
  let peak = 0;
  const size = (i: number): number => Math.abs(numberAt(edge, `response_curve.points[${i}].effect`) ?? 0);
  for (let i = 1; numberAt(edge, `response_curve.points[${i}].effect`) !== null; i++)
    if (size(i) > size(peak)) peak = i;
  return peak;
}

/** What is known of the data. */
export function quality({ target, latest, goal }: Situation): Told {
  const [at, now] = [of(target), of(latest)];
  if (!target) return told(sentence`The target ${named(of(goal)('target'))} is not there.`);
  return told(
    sentence`${named(at('key'))} has ${number(at('count'))} points, from ${time(at('first_at'))} to ${time(at('last_at'))}.`,
    sentence`The newest forecast read ${number(now('metadata.lookback_used'))} steps, of which ${number(now('metadata.filled_points'))} were missing and filled.`,
    ...reasons({ goal }, reason => reason === 'target_stale'),
  );
}

/** What is wrong with the goal, as its health says. */
export function reasons(
  { goal }: Pick<Situation, 'goal'>,
  isMeant: (reason: string) => boolean,
): (Told | null)[] {
  return upTo(countAt(goal, 'health_reasons'), Infinity).map(i => {
    const fact = of(goal)(`health_reasons[${i}]`);
    return fact && isMeant(String(fact.value))
      ? sentence`Its health is ${named(of(goal)('health'))}: ${named(fact)}.`
      : null;
  });
}
