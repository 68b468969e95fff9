export type Minimum = { readonly at: Float64Array; readonly value: number };

type Corner = { at: Float64Array; value: number };

export type Search = {
  /**
   * How far the first corners are from the start, and how often the function is asked at most (or a few times
   * more).
   */
  readonly size: number;
  readonly evaluations: number;
  /** The search ends when the values of the corners differ by no more than this. */
  readonly within: number;
};

/**
 * A minimum of a function of some numbers by the simplex of Nelder and Mead (1965), with the steps of Gao and
 * Han (2012), which keep it from collapsing in many dimensions (of one number, where theirs would shrink to a
 * point, it shrinks by half). Where the function is Infinity or NaN it does not go. Of no numbers it is the
 * function's only value. Deterministic.
 */
export function nelderMead(
  f: (at: Float64Array) => number,
  start: Float64Array,
  { size, evaluations, within }: Search,
): Minimum {
  const n = start.length;
  const expand = 1 + 2 / n;
  const contract = 0.75 - 1 / (2 * n);
  const shrink = Math.max(0.5, 1 - 1 / n);
  let left = evaluations;
  const corner = (at: Float64Array): Corner => {
    left--;
    const value = f(at);
    return { at, value: Number.isNaN(value) ? Infinity : value };
  };
  const simplex = [corner(start), ...Array.from(start, (x, i) => corner(start.with(i, x + size)))];
  while (left > 0 && n > 0) {
    simplex.sort((a, b) => a.value - b.value);
    const best = simplex[0]!;
    const worst = simplex[n]!;
    if (worst.value - best.value <= within) break;
    const middle = middleOf(simplex, n);
    const beyond = (share: number): Corner => corner(middle.map((x, i) => x + share * (x - worst.at[i]!)));
    const reflected = beyond(1);
    if (reflected.value < best.value) simplex[n] = smaller(beyond(expand), reflected);
    else if (reflected.value < simplex[n - 1]!.value) simplex[n] = reflected;
    else {
      const inner = reflected.value < worst.value ? beyond(contract) : beyond(-contract);
      if (inner.value < Math.min(worst.value, reflected.value)) simplex[n] = inner;
      else
        simplex.forEach((kept, k) => {
          if (k > 0) simplex[k] = corner(kept.at.map((x, i) => best.at[i]! + shrink * (x - best.at[i]!)));
        });
    }
  }
  return simplex.reduce(smaller);
}

const smaller = (a: Corner, b: Corner): Corner => (b.value < a.value ? b : a);

/** The mean of all corners but the worst. */
function middleOf(simplex: readonly Corner[], n: number): Float64Array {
  const middle = new Float64Array(n);
  for (let k = 0; k < n; k++)
    simplex[k]!.at.forEach((x, i) => {
      middle[i]! += x / n;
    });
  return middle;
}
