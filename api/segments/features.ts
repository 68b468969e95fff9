import type { SegmentOutcome } from '../../commands/segments.js';
import type { KeptFeature } from '../../domain/segments/facts.js';
import { asOfHeaders, asOfView } from '../edge/as-of.js';
import { contextOf } from '../edge/context.js';
import { dryQuery, wouldBe } from '../edge/dry-run.js';
import { row, type Row } from '../edge/row.js';
import { tagOf, versionIn } from '../edge/versions.js';
import { readAccess, tag, writeAccess, type SegmentDeps } from './deps.js';
import { checkFeature } from './existing.js';
import { found, foundThen } from './found.js';
import { featureBody, featureChanges } from './recipe-schemas.js';
import { featureIn, ofBody } from './recipes.js';
import * as schemas from './schemas.js';

const all = '/v1/segment/{segment_id}/features';
const writes = {
  tag,
  access: writeAccess,
  errors: { 404: ['not_found'], 409: ['version_conflict'] },
} as const;

/** Of the segment; it is there when a feature of it was changed. */
const revisionAfter = ({ after }: SegmentOutcome): number | undefined =>
  after.status === 'none' ? undefined : after.revision;

/** Features of a recipe: each change makes a version, which is built at once. */
export function featureRows(deps: SegmentDeps): Row[] {
  const { commands, tried, visible, clock } = deps;
  return [
    row({
      method: 'get',
      path: all,
      operation: 'listSegmentFeatures',
      summary: 'List the features of a segment',
      tag,
      access: readAccess,
      params: schemas.oneParams,
      query: schemas.asOfQuery,
      errors: { 404: ['not_found'] },
      answers: {
        200: { description: 'In the order in which they are made', schema: schemas.featuresAnswer },
      },
      async run({ workspace, params, query }) {
        const { doc, asOf } = await foundThen(deps, workspace, params.segment_id, query.as_of);
        const { features } = doc.recipe;
        return {
          body: { data: { as_of: asOfView(asOf), features, total: features.length } },
          headers: asOfHeaders(asOf),
        };
      },
    }),
    row({
      ...writes,
      method: 'post',
      path: all,
      operation: 'addSegmentFeature',
      summary: 'Add a feature to a segment',
      params: schemas.oneParams,
      body: featureBody,
      answers: { 201: { description: 'Added, as the last one', schema: schemas.featureAnswer } },
      async run(call) {
        const { workspace, params, body, ifMatch } = call;
        const { recipe } = await found(deps, workspace, params.segment_id);
        const { feature, outcome } = await ofBody(async () => {
          const added = featureIn(body, []);
          await checkFeature(deps, workspace, recipe, added);
          return commands.addFeature(
            workspace,
            params.segment_id,
            added,
            versionIn(ifMatch),
            contextOf(call, clock()),
          );
        });
        await visible(outcome.position);
        return { status: 201, body: { data: feature } };
      },
    }),
    row({
      ...writes,
      method: 'patch',
      path: `${all}/{feature_id}`,
      versioned: true,
      operation: 'changeSegmentFeature',
      summary: 'Change a feature',
      description: 'What is not named stays as it is; another `kind` takes other `params`.',
      params: schemas.featureParams,
      body: featureChanges,
      answers: { 200: { description: 'As it is now', schema: schemas.featureAnswer } },
      async run(call) {
        const { workspace, params, body, ifMatch } = call;
        const { recipe } = await found(deps, workspace, params.segment_id);
        const change = (before: KeptFeature) => featureIn({ ...before, ...body }, []);
        const before = recipe.features.find(each => each.feature_id === params.feature_id);
        const { feature, outcome } = await ofBody(async () => {
          if (before) await checkFeature(deps, workspace, recipe, change(before));
          return commands.changeFeature(
            workspace,
            params.segment_id,
            params.feature_id,
            change,
            versionIn(ifMatch),
            contextOf(call, clock()),
          );
        });
        await visible(outcome.position);
        const answer = { data: feature };
        return { body: answer, ...tagOf(revisionAfter(outcome), answer) };
      },
    }),
    row({
      ...writes,
      method: 'delete',
      path: `${all}/{feature_id}`,
      versioned: true,
      operation: 'removeSegmentFeature',
      summary: 'Remove a feature',
      params: schemas.featureParams,
      query: dryQuery,
      answers: { 200: { description: 'Removed', schema: schemas.removedAnswer } },
      async run(call) {
        const { workspace, params, query, ifMatch } = call;
        await found(deps, workspace, params.segment_id);
        const context = contextOf(call, clock());
        const by = query.dry_run ? tried : commands;
        const { position } = await ofBody(() =>
          by.removeFeature(workspace, params.segment_id, params.feature_id, versionIn(ifMatch), context),
        );
        if (query.dry_run) return wouldBe(params);
        await visible(position);
        return { body: { status: 'deleted' } };
      },
    }),
  ];
}
