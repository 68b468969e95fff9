import { closenessOf, readable, riseOf, type TextFeatures } from '../../domain/events/score-formulas.js';
import type { Profile } from '../../domain/events/scoring.js';
import type { Model, SentenceReading } from './session.js';

const KEPT = 64;
const MAX_PHRASES = 256;

type Embedded = {
  readonly whole: Float32Array;
  readonly phrases: readonly Float32Array[];
  readonly targets: readonly Pick<SentenceReading, 'topic' | 'quantity'>[];
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
 * Embeds each profile once and keeps the 64 used last. The key is what the profile says, so no two can be
 * mistaken.
 */
export const createComparison = (model: Model): Comparison => {
  const kept = new Map<string, Embedded | null>();
  return async (reading, profile) => {
    const key = JSON.stringify([profile.description, profile.phrases, profile.targets]);
    const embedded = kept.has(key) ? (kept.get(key) as Embedded | null) : await embed(model, profile);
    kept.delete(key);
    kept.set(key, embedded);
    if (kept.size > KEPT) kept.delete(kept.keys().next().value as string);
    return embedded ? compared(reading, embedded) : { closeness: null, rise: null };
  };
};

const compared: (
  reading: Pick<SentenceReading, 'topic' | 'course'>,
  embedded: Embedded,
) => Pick<TextFeatures, 'closeness' | 'rise'> = ({ topic, course }, { whole, phrases, targets }) => ({
  closeness: closenessOf(
    dot(topic, whole),
    phrases.map(phrase => dot(topic, phrase)),
  ),
  rise: riseOf(
    targets.map(target => ({ closeness: dot(topic, target.topic), logit: dot(course, target.quantity) })),
  ),
});

const partsOf = (profile: Profile): string[] =>
  [
    ...new Set([
      profile.description.trim(),
      ...[...profile.phrases, ...(profile.targets ?? [])].map(readable),
    ]),
  ]
    .filter(Boolean)
    .slice(0, MAX_PHRASES);

/** The whole profile is its parts in one text, of which the encoder reads the first 128 tokens. */
const embed = async (model: Model, profile: Profile): Promise<Embedded | null> => {
  const parts = partsOf(profile);
  if (!parts.length) return null;
  const read = async (texts: readonly string[]): Promise<SentenceReading[]> => {
    const readings: SentenceReading[] = [];
    for (const text of texts) readings.push(await model.read(text, false));
    return readings;
  };
  const [whole] = (await read([parts.join('. ')])) as [SentenceReading];
  const targets = (profile.targets ?? []).map(readable).filter(Boolean).slice(0, MAX_PHRASES);
  return {
    whole: whole.topic,
    phrases: (await read(parts)).map(({ topic }) => topic),
    targets: await read(targets),
  };
};

export const dot = (a: Float32Array, b: Float32Array): number => {
  let sum = 0;
  for (let i = 0; i < a.length; i++) sum += (a[i] ?? 0) * (b[i] ?? 0);
  return sum;
};
