/** Numbers at least 0 and below 1, evenly spread: what draws from chance takes one of these. */
export type Uniform = () => number;

/**
 * The same numbers for the same seed (a whole number from 0 to 2^32 - 1): the generator `mulberry32`, 32 bits
 * of state. Good enough to draw samples and first weights, not for secrets.
 */
export function seeded(seed: number): Uniform {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

/**
 * `count` of the whole numbers from 0 to `of` - 1, ascending, each choice as likely as any other (Knuth, S).
 */
export function drawn(count: number, of: number, random: Uniform): Int32Array {
  const chosen = new Int32Array(count);
  for (let i = 0, taken = 0; taken < count; i++) if (random() * (of - i) < count - taken) chosen[taken++] = i;
  return chosen;
}
