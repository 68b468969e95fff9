import { Rejected } from '../../domain/rejected.js';
import { perPage } from '../edge/paging.js';
import { row, type Row } from '../edge/row.js';
import { readAccess, tag, type SegmentDeps } from './deps.js';
import { found } from './found.js';
import * as schemas from './schemas.js';
import { versionView } from './views.js';

const common = {
  method: 'get',
  tag,
  access: readAccess,
  errors: { 404: ['not_found'] },
} as const;

/** The recipes that a segment had, each with the last table that was built of it. */
export function versionRows(deps: SegmentDeps): Row[] {
  const { queries } = deps;
  return [
    row({
      ...common,
      path: '/v1/segment/{segment_id}/versions',
      operation: 'listSegmentVersions',
      summary: 'List the versions of a segment',
      params: schemas.oneParams,
      query: schemas.listQuery,
      answers: { 200: { description: 'Newest first', schema: schemas.versionsAnswer } },
      async run({ workspace, params: { segment_id }, query }) {
        await found(deps, workspace, segment_id);
        const { page, per_page: size } = query;
        const { items, total } = await queries.versions(workspace, segment_id, size, (page - 1) * size);
        return { body: { data: { versions: items.map(versionView), ...perPage(query, total) } } };
      },
    }),
    row({
      ...common,
      path: '/v1/segment/{segment_id}/versions/{version}',
      operation: 'getSegmentVersion',
      summary: 'One version of a segment',
      params: schemas.versionParams,
      versioned: 'by_content',
      answers: { 200: { description: 'Its recipe, and its last table', schema: schemas.versionAnswer } },
      async run({ workspace, params: { segment_id, version } }) {
        await found(deps, workspace, segment_id);
        const doc = await queries.version(workspace, segment_id, Number(version));
        if (!doc) throw new Rejected('missing', 'not_found', 'Version not found');
        return { body: { data: versionView(doc) } };
      },
    }),
  ];
}
