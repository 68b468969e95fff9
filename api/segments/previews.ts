import { sourcesOf } from '../../commands/segments/sources.js';
import type { Recipe } from '../../domain/segments/recipe.js';
import { lengthOf } from '../../domain/segments/steps.js';
import { asOfHeaders, asOfIn, asOfView } from '../edge/as-of.js';
import { row, type Row } from '../edge/row.js';
import { readAccess, tag, type SegmentDeps } from './deps.js';
import { checkExisting } from './existing.js';
import { found } from './found.js';
import { overridesBody, recipeBody } from './recipe-schemas.js';
import { givenOf, recipeIn } from './recipes.js';
import * as schemas from './schemas.js';

const common = {
  method: 'post',
  tag,
  access: readAccess,
  policy: 'heavy',
  query: schemas.asOfQuery,
  answers: { 200: { description: 'What the table would be', schema: schemas.previewAnswer } },
} as const;

/** What a table would look like: built, shown and not kept. */
export function previewRows(deps: SegmentDeps): Row[] {
  const { work, clock } = deps;
  async function preview(workspace: string, recipe: Recipe, given: string | undefined, signal: AbortSignal) {
    const now = clock();
    const asOf = asOfIn(given, now);
    await checkExisting(deps, workspace, recipe, asOf);
    const sources = sourcesOf(deps, workspace, asOf ?? now, asOf !== null);
    const { table, rows, plot } = await work.preview({ workspace, recipe, sources, signal });
    const { columns, row_count, ahead, quality } = table;
    const data = { columns, rows, row_count, ahead, quality, plot, as_of: asOfView(asOf) };
    return { body: { data }, headers: asOfHeaders(asOf) };
  }
  return [
    row({
      ...common,
      path: '/v1/segment/preview',
      operation: 'previewSegment',
      summary: 'Preview a recipe that is not saved',
      body: recipeBody,
      errors: { 422: ['segment_too_short', 'segment_too_large'] },
      run: ({ workspace, body, query, signal }) => preview(workspace, recipeIn(body), query.as_of, signal),
    }),
    row({
      ...common,
      path: '/v1/segment/{segment_id}/preview',
      operation: 'previewSavedSegment',
      summary: 'Preview a segment, with another recipe in parts',
      description: 'What the body names takes the place of that part of the saved recipe.',
      params: schemas.oneParams,
      body: overridesBody,
      errors: { 404: ['not_found'], 422: ['segment_too_short', 'segment_too_large'] },
      async run({ workspace, params, body, query, signal }) {
        const { recipe } = await found(deps, workspace, params.segment_id);
        const length = body.step_s === undefined ? lengthOf(recipe) : undefined;
        const changed = recipeIn({ ...givenOf(recipe), ...body }, length);
        return preview(workspace, changed, query.as_of, signal);
      },
    }),
  ];
}
