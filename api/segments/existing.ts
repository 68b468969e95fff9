import { sourcesOf } from '../../commands/segments/sources.js';
import { Rejected } from '../../domain/rejected.js';
import { recipeFault } from '../../domain/segments/check.js';
import { checkResponses, checkSources } from '../../domain/segments/check-sources.js';
import { layoutOf } from '../../domain/segments/layout.js';
import type { Feature, Recipe } from '../../domain/segments/recipe.js';
import { stepsIn } from '../../domain/segments/steps.js';
import type { SegmentDeps } from './deps.js';

/**
 * Looks whether a workspace has what a recipe names, and whether its table would be too long. What events do
 * is asked as of a moment, where there is one.
 * @throws Rejected 422
 */
export async function checkExisting(
  deps: Pick<SegmentDeps, 'reads' | 'holidays' | 'clock'>,
  workspace: string,
  recipe: Recipe,
  asOf: number | null = null,
): Promise<void> {
  const sources = sourcesOf(deps, workspace, deps.clock(), false);
  const { responses } = asOf === null ? sources : sourcesOf(deps, workspace, asOf, true);
  await checkSources(recipe, { ...sources, responses });
  for (const [i, { stream }] of recipe.event_streams.entries())
    if (!(await deps.reads.stream(workspace, stream)))
      throw recipeFault(['event_streams', i, 'stream'], 'unknown', `no subscription has ${stream}`);
  try {
    await layoutOf(recipe, sources, stepsIn(recipe));
  } catch (error) {
    // Too few points may become enough until it is built
    if (!(error instanceof Rejected) || error.code !== 'segment_too_short') throw error;
  }
}

/**
 * Looks whether what events do is known, where a feature asks for it.
 * @throws Rejected 422
 */
export function checkFeature(
  deps: Pick<SegmentDeps, 'reads' | 'holidays' | 'clock'>,
  workspace: string,
  recipe: Recipe,
  feature: Feature,
): Promise<void> {
  const alone = { ...recipe, event_streams: [], features: [feature] };
  return checkResponses(alone, sourcesOf(deps, workspace, deps.clock(), false));
}
