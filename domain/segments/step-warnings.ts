import { commonStep, months, nearMonths } from '../maths/series/grid.js';
import { SECOND } from '../time.js';
import { fromOf, targetOf, toOf, type Layout } from './layout.js';
import type { QualityWarning, Sources } from './ports.js';
import type { Recipe } from './recipe.js';

/** So many points say how a target comes. */
const POINTS = 500;

/**
 * Of a target that comes by calendar months, quarters or years, when steps are about as long but all of the
 * same length: some then hold two points, and others none. Looked at is the first entity.
 */
export async function stepWarnings(
  recipe: Recipe,
  sources: Sources,
  { entities }: Layout,
): Promise<readonly QualityWarning[]> {
  const asked = recipe.step_months ? 0 : nearMonths(recipe.step_s * SECOND);
  if (asked === 0) return [];
  const target = targetOf(recipe, entities[0]!.entity);
  const times: number[] = [];
  for await (const page of sources.points(target, fromOf(recipe), toOf(recipe))) {
    times.push(...page.times);
    if (times.length >= POINTS) break;
  }
  const first = times.slice(0, POINTS);
  const { months: own } = commonStep([{ times: first, values: first }]);
  if (own === 0 || own > asked) return [];
  const step = months(asked % own === 0 ? asked : own).ms / SECOND;
  const message =
    `${target} comes by calendar months, which steps of ${recipe.step_s} seconds are not: `
    + 'some hold two points, others none. '
    + (step === recipe.step_s
      ? 'Once the recipe is saved again they are'
      : `A step_s of ${step} is such a step`);
  return [{ code: 'calendar_months', message }];
}
