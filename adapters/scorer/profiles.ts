import { closenessTo, readable, riseOf, type TextFeatures } from '../../domain/events/score-formulas.js';
import type { Profile } from '../../domain/events/scoring.js';
import type { Model, SentenceReading } from './session.js';

const KEPT_PROFILES = 256;
/** Readings of single phrases: many workspaces have the same names, and one of many changes at a time. */
const KEPT_PHRASES = 4_096;
const MAX_PHRASES = 256;

type Phrase = Pick<SentenceReading, 'topic' | 'quantity'>;
type Embedded = {
  readonly whole: Float32Array;
  readonly phrases: readonly Phrase[];
  readonly names: readonly Phrase[];
  readonly targets: readonly Phrase[];
};

/**
 * What a text means to a workspace: how close it is to the profile, and which way it moves the target it is
 * closest to.
 */
export type Comparison = (
  reading: Pick<SentenceReading, 'topic' | 'course'>,
  profile: Profile,
) => Promise<Pick<TextFeatures, 'closeness' | 'rise'>>;

/**
 * Embeds each profile once and keeps those used last. The key is what the profile says, so no two can be
 * mistaken.
 */
export const createComparison = (model: Model): Comparison => {
  const profiles = lastUsed<Embedded | null>(KEPT_PROFILES);
  const phrases = lastUsed<Phrase>(KEPT_PHRASES);
  const read = (text: string) =>
    phrases(text, async () => {
      const { topic, quantity } = await model.read(text, false);
      return { topic, quantity };
    });
  return async (reading, profile) => {
    const key = JSON.stringify([profile.description, profile.phrases, profile.names, profile.targets]);
    const embedded = await profiles(key, () => embed(read, profile));
    return embedded ? compared(reading, embedded) : { closeness: null, rise: null };
  };
};

/** Answers by key, of which the `size` used last are kept. */
function lastUsed<V>(size: number) {
  const kept = new Map<string, V>();
  return async (key: string, make: () => Promise<V>): Promise<V> => {
    const value = kept.has(key) ? kept.get(key)! : await make();
    kept.delete(key);
    kept.set(key, value);
    if (kept.size > size) kept.delete(kept.keys().next().value!);
    return value;
  };
}

const compared: (
  reading: Pick<SentenceReading, 'topic' | 'course'>,
  embedded: Embedded,
) => Pick<TextFeatures, 'closeness' | 'rise'> = ({ topic, course }, { whole, phrases, names, targets }) => {
  const closenessOf = (phrase: Phrase): number => dot(topic, phrase.topic);
  return {
    closeness: closenessTo({
      whole: dot(topic, whole),
      phrases: phrases.map(closenessOf),
      names: names.map(closenessOf),
    }),
    rise: riseOf(
      targets.map(target => ({ closeness: closenessOf(target), logit: dot(course, target.quantity) })),
    ),
  };
};

/** Each once, in words. */
const worded = (keys: readonly string[]): string[] =>
  [...new Set(keys.map(readable))].filter(Boolean).slice(0, MAX_PHRASES);

/**
 * The whole profile is its own words in one text, or its names where it has none, of which the encoder reads
 * the first 128 tokens.
 */
const embed = async (
  read: (text: string) => Promise<Phrase>,
  { description, phrases, names = [], targets = [] }: Profile,
): Promise<Embedded | null> => {
  const own = [...new Set([description.trim(), ...worded(phrases)])].filter(Boolean).slice(0, MAX_PHRASES);
  const given = worded([...names, ...targets]).filter(name => !own.includes(name));
  if (own.length + given.length === 0) return null;
  const all = async (texts: readonly string[]): Promise<Phrase[]> => {
    const readings: Phrase[] = [];
    for (const text of texts) readings.push(await read(text));
    return readings;
  };
  const { topic: whole } = await read((own.length > 0 ? own : given).join('. '));
  return {
    whole,
    phrases: await all(own),
    names: await all(given),
    targets: await all(worded(targets)),
  };
};

export const dot = (a: Float32Array, b: Float32Array): number => {
  let sum = 0;
  for (let i = 0; i < a.length; i++) sum += (a[i] ?? 0) * (b[i] ?? 0);
  return sum;
};
