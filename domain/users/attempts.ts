import { MINUTE } from '../time.js';

/** So many wrong codes in so long; then none is looked at for as long again. */
export const ATTEMPTS = { most: 5, within: 15 * MINUTE } as const;

/**
 * How many wrong codes may still be given, and when all of them may be again (null: they may now); epoch ms.
 */
export function attemptsOf(
  { failures }: { readonly failures: readonly number[] },
  now: number,
): { readonly left: number; readonly wholeAt: number | null } {
  const last = failures.at(-1);
  const first = failures.at(-ATTEMPTS.most);
  if (last === undefined || now >= last + ATTEMPTS.within) return { left: ATTEMPTS.most, wholeAt: null };
  const wholeAt = last + ATTEMPTS.within;
  const locked = first !== undefined && last - first < ATTEMPTS.within;
  const recent = failures.filter(at => at > now - ATTEMPTS.within).length;
  return { left: locked ? 0 : ATTEMPTS.most - recent, wholeAt };
}
