import { columnsOfFeature, enabledOf, planOf } from './plan.js';
import type { Sources } from './ports.js';
import type { FeatureKind, FeatureKinds, Recipe } from './recipe.js';
import { candidatesOf } from './suggesting/candidates.js';
import { judged, LEAST_ROWS, mostAlike } from './suggesting/judge.js';
import { gather } from './suggesting/samples.js';

/** `lift`: the share of the error on unseen rows that goes away with the feature. */
export type Suggestion = {
  readonly kind: FeatureKind;
  readonly params: FeatureKinds[FeatureKind];
  readonly lift: number;
};

/** The best first. `message` says why there are none. */
export type Suggestions = { readonly suggestions: readonly Suggestion[]; readonly message: string | null };

/** Less than this is not worth a column. */
const LEAST_LIFT = 0.01;
const MOST = 10;
/** Columns of the table beside the target that a ridge has to begin with. */
const BASE = 10;

/**
 * Features that a recipe lacks, by how much better a plain ridge forecasts `split.horizon` steps ahead on
 * rolling folds with each than without: on the newest rows, at most 3,000, from the target and up to 10 of
 * the table's columns. Only what helps beyond chance is told.
 * @throws Rejected 422 segment_too_short, segment_too_large as a build does
 */
export async function suggestFeatures(recipe: Recipe, sources: Sources): Promise<Suggestions> {
  const candidates = candidatesOf(recipe);
  const { samples, columns } = await gather(recipe, sources, candidates);
  const column = (name: string): Float64Array => columns.get(name)!;
  const own = planOf({ ...recipe, features: enabledOf(recipe) }).columns.slice(1);
  const base = [
    column(recipe.target),
    ...mostAlike(
      samples.target,
      own.map(({ name }) => column(name)),
      BASE,
    ),
  ];
  const found: Suggestion[] = [];
  let tried = 0;
  for (const candidate of candidates) {
    const result = judged(samples, base, columnsOfFeature(candidate).map(column));
    if (!result) continue;
    tried++;
    if (!result.isSure || result.lift < LEAST_LIFT) continue;
    found.push({ kind: candidate.kind, params: candidate.params, lift: result.lift });
  }
  if (tried === 0)
    return {
      suggestions: [],
      message: `Fewer than ${LEAST_ROWS} rows have all values: nothing can be judged`,
    };
  if (found.length === 0)
    return { suggestions: [], message: `None of ${tried} features made forecasts of unseen rows better` };
  return { suggestions: found.sort((a, b) => b.lift - a.lift).slice(0, MOST), message: null };
}
