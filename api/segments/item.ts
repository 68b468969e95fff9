import { Rejected } from '../../domain/rejected.js';
import type { SegmentDoc } from '../../projections/segments/documents.js';
import { asOfHeaders, asOfIn, asOfView } from '../edge/as-of.js';
import { contextOf } from '../edge/context.js';
import { dryQuery, wouldBe } from '../edge/dry-run.js';
import { perPage } from '../edge/paging.js';
import { row, type Row } from '../edge/row.js';
import { versionedTag, versionIn } from '../edge/versions.js';
import { readAccess, tag, writeAccess, type SegmentDeps } from './deps.js';
import { checkExisting } from './existing.js';
import { found, foundAfter, foundThen } from './found.js';
import { createBody } from './recipe-schemas.js';
import { recipeIn } from './recipes.js';
import * as schemas from './schemas.js';
import { segmentView } from './views.js';

const one = '/v1/segment/{segment_id}';

/** Segments themselves: made, shown, changed, built again and deleted. */
export function itemRows(deps: SegmentDeps): Row[] {
  const { commands, tried, queries, dependants, visible, clock } = deps;
  const shown = (doc: SegmentDoc) => {
    const body = { data: { ...segmentView(doc), as_of: null } };
    return { body, etag: versionedTag(doc.revision, body) };
  };
  return [
    row({
      method: 'get',
      path: '/v1/segment',
      operation: 'listSegments',
      summary: 'List segments',
      tag,
      access: readAccess,
      query: schemas.segmentsQuery,
      answers: { 200: { description: 'Newest first', schema: schemas.listAnswer } },
      async run({ workspace, query }) {
        const { page, per_page: size } = query;
        const asOf = asOfIn(query.as_of, clock());
        const { items, total } = await queries.segments(workspace, size, (page - 1) * size, asOf);
        const segments = items.map(segmentView);
        return {
          body: { data: { as_of: asOfView(asOf), segments, ...perPage(query, total) } },
          headers: asOfHeaders(asOf),
        };
      },
    }),
    row({
      method: 'post',
      path: '/v1/segment',
      operation: 'createSegment',
      summary: 'Make a segment',
      description: 'Its table is built in the background: it is `building`, then `ready` or `failed`.',
      tag,
      access: writeAccess,
      body: createBody,
      answers: { 201: { description: 'Made', schema: schemas.oneAnswer } },
      async run(call) {
        const { workspace, body } = call;
        const { name, description = '' } = body;
        const recipe = recipeIn(body);
        await checkExisting(deps, workspace, recipe);
        const context = contextOf(call, clock());
        const called = { name, description };
        const { segmentId, outcome } = await commands.create(workspace, called, recipe, context);
        return { status: 201, ...shown(await foundAfter(deps, workspace, segmentId, null, outcome)) };
      },
    }),
    row({
      method: 'get',
      path: one,
      operation: 'getSegment',
      summary: 'One segment',
      tag,
      access: readAccess,
      versioned: true,
      params: schemas.oneParams,
      query: schemas.asOfQuery,
      errors: { 404: ['not_found'] },
      answers: {
        200: { description: 'The recipe, and the table that was built last', schema: schemas.oneAnswer },
      },
      async run({ workspace, params, query }) {
        const { doc, asOf } = await foundThen(deps, workspace, params.segment_id, query.as_of);
        const body = { data: { ...segmentView(doc), as_of: asOfView(asOf) } };
        return { body, etag: versionedTag(doc.revision, body), headers: asOfHeaders(asOf) };
      },
    }),
    row({
      method: 'put',
      path: one,
      operation: 'replaceSegment',
      summary: 'Give a segment another recipe',
      description:
        'What is not named is as for a new one. Another recipe makes another version and is built at once; '
        + 'the same one makes none.',
      tag,
      access: writeAccess,
      versioned: true,
      params: schemas.oneParams,
      body: createBody,
      errors: { 404: ['not_found'], 409: ['version_conflict'] },
      answers: { 200: { description: 'As it is now', schema: schemas.oneAnswer } },
      async run(call) {
        const { workspace, params, body, ifMatch } = call;
        const { name, description = '' } = body;
        const before = await found(deps, workspace, params.segment_id);
        const recipe = recipeIn(body);
        await checkExisting(deps, workspace, recipe);
        const change = { name, description, recipe };
        const seen = versionIn(ifMatch);
        const context = contextOf(call, clock());
        const { segment_id: segmentId } = params;
        const outcome = await commands.revise(workspace, segmentId, change, seen, context);
        return shown(await foundAfter(deps, workspace, segmentId, before, outcome));
      },
    }),
    row({
      method: 'delete',
      path: one,
      operation: 'deleteSegment',
      summary: 'Delete a segment and its tables',
      tag,
      access: writeAccess,
      versioned: true,
      params: schemas.oneParams,
      query: dryQuery,
      errors: { 404: ['not_found'], 409: ['IN_USE', 'version_conflict'] },
      answers: { 200: { description: 'Deleted', schema: schemas.deletedAnswer } },
      async run(call) {
        const { workspace, params, ifMatch, query } = call;
        const { segment_id: segmentId } = params;
        await found(deps, workspace, segmentId);
        const pipelines = await dependants.pipelines(workspace, segmentId);
        if (pipelines.length > 0)
          throw new Rejected('conflict', 'IN_USE', 'Pipelines train on it: delete them first', {
            pipeline_ids: pipelines,
          });
        const goals = await dependants.goals(workspace, segmentId);
        if (goals.length > 0)
          throw new Rejected('conflict', 'IN_USE', 'Goals name it: let them name another first', {
            goal_ids: goals,
          });
        const context = contextOf(call, clock());
        const by = query.dry_run ? tried : commands;
        const { position } = await by.delete(workspace, segmentId, versionIn(ifMatch), context);
        if (query.dry_run) return wouldBe({ segment_id: segmentId });
        await visible(position);
        return { body: { status: 'deleted' } };
      },
    }),
    row({
      method: 'post',
      path: `${one}/rebuild`,
      operation: 'rebuildSegment',
      summary: 'Build the table again',
      description: 'With what is known by now. One that is being built, or waits for it, stays as it is.',
      tag,
      access: writeAccess,
      params: schemas.oneParams,
      errors: { 404: ['not_found'] },
      answers: { 202: { description: 'It is going to be built', schema: schemas.rebuildAnswer } },
      async run(call) {
        const { workspace, params } = call;
        const { segment_id } = params;
        const before = await found(deps, workspace, segment_id);
        const outcome = await commands.rebuild(workspace, segment_id, contextOf(call, clock()));
        const { status, version } = await foundAfter(deps, workspace, segment_id, before, outcome);
        const data = { segment_id, status, version, poll_url: `/v1/segment/${segment_id}` };
        return { status: 202, body: { status: 'queued', data } };
      },
    }),
  ];
}
