/**
 * The distance that a new one stays within with a probability of `inside` (0 to 1), where it is as likely to
 * be at any place among those seen (exchangeable): the ceil((n + 1) inside)-th smallest of n (split conformal
 * inference: Lei and others 2018, "Distribution-Free Predictive Inference for Regression"). `ascending`: of
 * those seen. The largest where n is too small for the level, 0 where `inside` is 0; NaN of none.
 */
export function conformalQuantile(ascending: Float64Array, inside: number): number {
  const n = ascending.length;
  const rank = Math.min(n, Math.ceil((n + 1) * inside));
  if (n === 0) return NaN;
  return rank < 1 ? 0 : ascending[rank - 1]!;
}
