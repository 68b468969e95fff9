import { closenessOf, readable, type Profile } from '../../domain/scoring.js';
import type { Model } from './session.js';

const KEPT = 64;
const MAX_PHRASES = 256;

type Topics = { whole: Float32Array; phrases: Float32Array[] };

/** How close a text is to a workspace's profile, as a cosine; null when the profile is empty. */
export type Closeness = (topic: Float32Array, profile: Profile) => Promise<number | null>;

/** Embeds each profile once and keeps the 64 used last. The key is what the profile says, so no two can be mistaken. */
export const createCloseness = (model: Model): Closeness => {
  const kept = new Map<string, Topics | null>();
  return async (topic, profile) => {
    const key = JSON.stringify([profile.description, profile.phrases]);
    const topics = kept.get(key) ?? await embed(model, partsOf(profile));
    kept.delete(key);
    kept.set(key, topics);
    if (kept.size > KEPT) kept.delete(kept.keys().next().value as string);
    return topics && closenessOf(dot(topic, topics.whole), topics.phrases.map(phrase => dot(topic, phrase)));
  };
};

const partsOf = ({ description, phrases }: Profile): string[] =>
  [...new Set([description.trim(), ...phrases.map(readable)])].filter(Boolean).slice(0, MAX_PHRASES);

/** The whole profile is its parts in one text, of which the encoder reads the first 128 tokens. */
const embed = async (model: Model, parts: readonly string[]): Promise<Topics | null> => {
  if (!parts.length) return null;
  const phrases: Float32Array[] = [];
  for (const part of parts) phrases.push((await model.read(part, false)).topic);
  return { whole: (await model.read(parts.join('. '), false)).topic, phrases };
};

export const dot = (a: Float32Array, b: Float32Array): number => {
  let sum = 0;
  for (let i = 0; i < a.length; i++) sum += (a[i] ?? 0) * (b[i] ?? 0);
  return sum;
};
