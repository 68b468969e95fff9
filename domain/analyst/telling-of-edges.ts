import { namedIn, type Named, type Place } from './naming.js';
import { counted, duration, named, number, percent, sentence, time, told, type Told } from './sentence.js';
import { isAbove, of, textAt, upTo, type Ask, type Situation } from './situation.js';

const MOST_EDGES = 5;
const MOST_REASONS = 3;
const plain = (text: string): Told => ({ text, facts: [] });

/** What drives the goal: of the sources that a question names, or of all. */
export function drivers(situation: Situation, question: string): Told {
  const { edges } = situation;
  const asked = namedIn(situation, question);
  if (asked) return ofNamed(asked, driver);
  if (edges.length === 0)
    return plain('No edge acts on the goal: what drives it is not known, or nothing does.');
  return told(...edges.slice(0, MOST_EDGES).flatMap(edge => driver(of(edge))));
}

function driver(at: Ask): (Told | null)[] {
  const [key, kind, status] = [named(at('source_key')), named(at('kind')), named(at('status'))];
  return [sentence`${key} (${kind}) acts by an edge that is ${status}.`, worth(at)];
}

/** What knowing a source is worth: nothing where it removes no error, as of an edge that a person pinned. */
function worth(at: Ask): Told | null {
  const lift = at('lift');
  return isAbove(lift, 0)
    ? sentence`Knowing this source removes ${percent(lift)} of the error.`
    : sentence`Knowing this source has not made forecasts better so far: its lift is ${percent(lift)}.`;
}

/** How the target answers events: those of the streams that a question names, or of all. */
export function eventEffects(situation: Situation, question: string): Told {
  const asked = namedIn(situation, question);
  if (asked) return ofNamed(asked, at => (at('kind')?.value === 'event_stream' ? effect(at) : driver(at)));
  const streams = situation.edges.filter(edge => textAt(edge, 'kind') === 'event_stream');
  if (streams.length === 0) return plain('No edge leads from a stream of events to the goal.');
  return told(...streams.slice(0, MOST_EDGES).flatMap(edge => effect(of(edge))));
}

function effect(at: Ask): (Told | null)[] {
  const [key, lag] = [named(at('source_key')), duration(at('optimal_lag_s'))];
  const peak = number(at('effect_peak'));
  return [
    sentence`Events of ${key} act on the goal.`,
    worth(at),
    sentence`At the peak, after ${lag}, the usual one moves the target by ${peak}.`,
    sentence`Half of that is left after ${duration(at('half_life_s'))}.`,
    sentence`That was seen in ${counted(at('n_occurrences'), 'event')}.`,
  ];
}

/** Of what is named, and of nothing else. */
const ofNamed = ({ places, isUnknown }: Named, acting: (at: Ask) => (Told | null)[]): Told =>
  told(
    ...places.flatMap(place => (place.acts ? acting(place.at) : idle(place))),
    isUnknown
      ? plain('A name in the question is of no source that is known here: no discovery looked at it.')
      : null,
  );

/** Of a source that does not act: how it stands, and what stands against it. */
function idle({ at, acts, foundAt }: Place): (Told | null)[] {
  const [key, kind] = [named(at('source_key')), named(at('kind'))];
  const [status, verdict] = [named(at('status')), named(at('verdict'))];
  return [
    acts === null
      ? sentence`${key} (${kind}) has no edge to the goal: the discovery of ${time(foundAt)} says ${verdict}.`
      : sentence`${key} (${kind}) does not act on the goal: its edge is ${status}.`,
    status?.text === 'retired' ? sentence`It was retired: ${named(at('reason'))}.` : null,
    ...upTo(MOST_REASONS).map(i => {
      const [code, text] = [named(at(`reasons[${i}].code`)), named(at(`reasons[${i}].text`))];
      return sentence`Against it stands ${code}: ${text}.`;
    }),
  ];
}
