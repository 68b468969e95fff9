import { sourcesOf } from '../../commands/segments/sources.js';
import { asOfHeaders, asOfIn, asOfView } from '../edge/as-of.js';
import { row, type Row } from '../edge/row.js';
import { readAccess, tag, type SegmentDeps } from './deps.js';
import { checkExisting } from './existing.js';
import { found } from './found.js';
import * as schemas from './schemas.js';

/** Features that a segment may lack. */
export const suggestionRows = (deps: SegmentDeps): Row[] => [
  row({
    method: 'post',
    path: '/v1/segment/{segment_id}/features/suggest',
    operation: 'suggestSegmentFeatures',
    summary: 'Suggest features for a segment',
    description:
      'Each is tried: a ridge forecasts `split.horizon` steps ahead on rolling folds of the newest rows, '
      + 'with the feature and without. What helps beyond chance is told, the best first; nothing is changed.',
    tag,
    access: readAccess,
    policy: 'heavy',
    params: schemas.oneParams,
    query: schemas.asOfQuery,
    errors: { 404: ['not_found'], 422: ['segment_too_short', 'segment_too_large'] },
    answers: { 200: { description: 'At most 10, the best first', schema: schemas.suggestionsAnswer } },
    async run({ workspace, params, query, signal }) {
      const now = deps.clock();
      const asOf = asOfIn(query.as_of, now);
      const { recipe } = await found(deps, workspace, params.segment_id);
      await checkExisting(deps, workspace, recipe, asOf);
      const sources = sourcesOf(deps, workspace, asOf ?? now, asOf !== null);
      const suggested = await deps.work.suggest({ workspace, recipe, sources, signal });
      return { body: { data: { ...suggested, as_of: asOfView(asOf) } }, headers: asOfHeaders(asOf) };
    },
  }),
];
