import type { KeptTable } from '../../domain/segments/facts.js';
import type { Recipe } from '../../domain/segments/recipe.js';
import type { Sources } from '../../domain/segments/ports.js';
import type { Preview } from '../../domain/segments/preview.js';
import type { Suggestions } from '../../domain/segments/suggest.js';

/** Work on a recipe: `workspace` is in whose name, and ends with the signal. */
export type RecipeWork = {
  readonly workspace: string;
  readonly recipe: Recipe;
  readonly sources: Sources;
  readonly signal: AbortSignal;
};

/**
 * Long work on tables, in processes of their own.
 * @throws Cancelled, TookTooLong, TooMuchMemory, Overloaded, and Rejected of what is wrong with the recipe
 */
export type TableWork = {
  /**
   * Builds the table and keeps it on a shelf. What lies there already is not written again. `before`: the
   * manifest of a table there, of which is taken over what is as it was; null: there is none.
   */
  build(work: RecipeWork & { readonly shelf: string; readonly before: string | null }): Promise<KeptTable>;
  preview(work: RecipeWork): Promise<Preview>;
  suggest(work: RecipeWork): Promise<Suggestions>;
};
