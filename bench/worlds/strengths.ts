import type { Chance } from './chance.js';
import { STRENGTH, textOf, WEIGHTS, type Tone, type Topic, type Weight } from './texts.js';
import type { ScaledBy } from './world.js';

/** How strong an event is (the mean of a stream is 1 in size), and what its text must sound like. */
export type Drawn = {
  readonly strength: number;
  readonly weight: Weight;
  /** null: as the effect goes. */
  readonly tone: Tone | null;
};

/**
 * One for each of `count` events. Scaled by value: lognormal; by importance: with the weight of the text; by
 * impact: with its weight, and against the effect's sign where the tone is bad.
 */
export function strengthsOf(chance: Chance, scaledBy: ScaledBy, count: number, varies: number): Drawn[] {
  const drawn = Array.from({ length: count }, (): Drawn => {
    const own = Math.exp(varies * chance.normal());
    if (scaledBy === 'nothing')
      return { strength: own, weight: chance.pick(['middle', 'major']), tone: null };
    if (scaledBy === 'value')
      return { strength: own * Math.exp(0.6 * chance.normal()), weight: 'middle', tone: null };
    const weight = chance.pick(WEIGHTS);
    const tone = scaledBy === 'impact' && chance.happens(0.5) ? 'bad' : 'good';
    const way = scaledBy === 'impact' && tone === 'bad' ? -1 : 1;
    return { strength: way * own * STRENGTH[weight], weight, tone: scaledBy === 'impact' ? tone : null };
  });
  if (scaledBy === 'nothing' && varies === 0) return drawn;
  const mean = drawn.reduce((sum, { strength }) => sum + Math.abs(strength), 0) / Math.max(1, count);
  return drawn.map(each => ({ ...each, strength: each.strength / mean }));
}

export const textsOf = (chance: Chance, topic: Topic, drawn: readonly Drawn[], sign: 1 | -1): string[] =>
  drawn.map(({ weight, tone }) => textOf(chance, topic, tone ?? (sign === 1 ? 'good' : 'bad'), weight));
