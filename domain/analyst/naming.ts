import { factAt, type StoredFact } from './fact.js';
import { countAt, of, textAt, upTo, type Ask, type Situation } from './situation.js';

/** Where something is known of a source; `at` asks there. */
export type Place = {
  readonly at: Ask;
  /** Whether an edge acts; null: there is none, and this is what a discovery found. */
  readonly acts: boolean | null;
  /** When that discovery was over. */
  readonly foundAt: StoredFact | null;
};
/** What a question names. `isUnknown`: also one of which nothing is known. */
export type Named = { readonly places: readonly Place[]; readonly isUnknown: boolean };

/** Streams and signals that a question names, each at the place that says most of it; null: it names none. */
export function namedIn(situation: Situation, question: string): Named | null {
  const places = placesOf(situation);
  const keys = [...new Set(places.map(keyOf))].sort((a, b) => b.length - a.length);
  const named = new Set<string>();
  let rest = question;
  for (const key of keys) {
    const before = rest;
    rest = rest.replaceAll(asWhole(key), ' ');
    if (rest !== before) named.add(key);
  }
  for (const own of [textAt(situation.goal, 'name'), textAt(situation.goal, 'target')])
    if (own !== null) rest = rest.replaceAll(asWhole(own), ' ');
  const isUnknown = LIKE_KEYS.some(pattern => pattern.test(rest));
  if (named.size === 0 && !isUnknown) return null;
  return { places: places.filter(place => named.has(keyOf(place))), isUnknown };
}

const keyOf = ({ at }: Place): string => String(at('source_key')?.value);

/** One of each source: an edge before what a discovery found, and the newest of these. */
function placesOf({ edges, idle, tests }: Situation): Place[] {
  const all: Place[] = [
    ...edges.map(edge => ({ at: of(edge), acts: true, foundAt: null })),
    ...idle.map(edge => ({ at: of(edge), acts: false, foundAt: null })),
    ...tests.flatMap(test =>
      upTo(countAt(test, 'results')).map(i => ({
        at: (field: string) => factAt(test, `results[${i}].${field}`),
        ...{ acts: null, foundAt: factAt(test, 'finished_at') },
      })),
    ),
  ];
  const sources = new Map<string, Place>();
  for (const place of all) {
    const source = JSON.stringify([place.at('kind')?.value, keyOf(place)]);
    if (!sources.has(source)) sources.set(source, place);
  }
  return [...sources.values()];
}

/** A name that stands by itself: `news` is not in `news.sports`. */
const asWhole = (name: string): RegExp => {
  const escaped = name.replaceAll(/[\\^$.*+?()[\]{}|/]/g, String.raw`\$&`);
  return new RegExp(String.raw`(?<![\p{L}\p{N}_.-])${escaped}(?![\p{L}\p{N}_]|[.-][\p{L}\p{N}_])`, 'giu');
};

/** Words behind `events of` that name nothing. */
const NO_KEY = '(?:the|this|that|all|any|each|every|my|our|its|today|yesterday)';
/** What is meant as a key, whether there is one or not: `news.sports`, `oil_price`, events of `sports`. */
const LIKE_KEYS = [
  /(?<![\p{L}\p{N}_.-])\p{L}[\p{L}\p{N}-]+(?:[._][\p{L}\p{N}-]{2,})+/u,
  new RegExp(
    String.raw`\bevents? (?:of|from) (?!${NO_KEY}\b)[a-z][\w-]*(?= (?:ha[sd]|have|on)\b|[?.!\s]*$)`,
    'i',
  ),
];
