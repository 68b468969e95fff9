import { EARLIEST, LATEST } from '../time.js';
import { recipeFault } from './check.js';
import { holidaysOf } from './holidays.js';
import type { Sources } from './ports.js';
import type { Recipe } from './recipe.js';
import { respondingTo, responsesOf } from './responses.js';

/**
 * Looks whether what a recipe names is there: the target, the inputs, the countries, what events do to the
 * target. Streams may have no event yet.
 * @throws Rejected 422 validation_error, which names the field
 */
export async function checkSources(recipe: Recipe, sources: Sources): Promise<void> {
  const { target, entity_mode: mode } = recipe;
  if (mode === 'single' && !(await hasPoints(target, sources)))
    throw recipeFault(['target'], 'unknown', `there is no signal ${target}`);
  if (mode === 'per_entity' && (await sources.entities(target)).length === 0)
    throw recipeFault(['target'], 'unknown', `there is no signal ${target}__<entity>`);
  for (const [i, { key }] of recipe.inputs.entries()) {
    const isThere =
      (await hasPoints(key, sources)) || (mode === 'per_entity' && (await sources.entities(key)).length > 0);
    if (!isThere) throw recipeFault(['inputs', i, 'key'], 'unknown', `there is no signal ${key}`);
  }
  await holidaysOf(recipe, sources, { from: 0, to: 0 });
  await checkResponses(recipe, sources);
}

/**
 * Looks whether what events do to the target is known, where a recipe asks for it.
 * @throws Rejected 422 validation_error, which names the field
 */
export async function checkResponses(recipe: Recipe, sources: Sources): Promise<void> {
  if (respondingTo(recipe).length === 0) return;
  const entities = recipe.entity_mode === 'single' ? [null] : await sources.entities(recipe.target);
  await responsesOf(recipe, sources, entities);
}

const hasPoints = async (key: string, sources: Sources): Promise<boolean> =>
  (await sources.span(key, EARLIEST, LATEST + 1)) !== null;
