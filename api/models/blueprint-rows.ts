import { iso } from '../../domain/time.js';
import { pageLimit } from '../edge/paging.js';
import { row, type Row } from '../edge/row.js';
import * as schemas from './blueprint-schemas.js';
import { backboneDetail, backboneView, blueprintDetail, blueprintView } from './blueprint-views.js';
import { readAccess, tag, type ModelDeps } from './deps.js';
import { foundIn, seenIn, type Seen } from './seen.js';

/** The catalogue of blueprints: what can be deployed, trained or taken as an example. */
export const blueprintRows = (deps: ModelDeps): Row[] => {
  const rowsOf = async (seen: readonly Seen[]) => {
    const owners = seen.flatMap(each => ('blueprint' in each ? [each.blueprint.owner] : []));
    const names = await deps.namesOf(owners);
    return seen.map(each =>
      'backbone' in each
        ? backboneView(each.backbone, deps)
        : blueprintView(each.blueprint, names.get(each.blueprint.owner) ?? null),
    );
  };
  const detailOf = async (seen: Seen) => {
    if ('backbone' in seen) return backboneDetail(seen.backbone, deps);
    const { blueprint } = seen;
    const names = await deps.namesOf([blueprint.owner]);
    const model = blueprint.kind === 'foundation' ? await deps.hosted.find(blueprint.foundation.model) : null;
    return blueprintDetail(blueprint, names.get(blueprint.owner) ?? null, model);
  };
  return [
    row({
      method: 'get',
      path: '/v1/models/public',
      operation: 'listPublicModels',
      summary: 'List what is public: foundation models, and what people made and share',
      tag,
      access: readAccess,
      query: schemas.publicQuery,
      answers: { 200: { description: 'A page of them', schema: schemas.publicAnswer } },
      async run({ workspace, query }) {
        const { page, limit, sort_by, sort_order, ...filter } = query;
        const { total, rows } = await deps.queries.publicPage(
          workspace,
          filter,
          { by: sort_by, descending: sort_order === 'desc' },
          { offset: (page - 1) * limit, limit },
        );
        const seen = rows.map(each => ('model' in each ? { backbone: each.model } : each));
        return { body: { data: { models: await rowsOf(seen), ...pageLimit(query, total) } } };
      },
    }),
    row({
      method: 'get',
      path: '/v1/models/recommended',
      operation: 'getRecommendedModel',
      summary: 'The model that did best in this workspace, if anything says so',
      tag,
      access: readAccess,
      answers: {
        200: {
          description: 'With its evidence; where `blueprint` is null, `reason` says why',
          schema: schemas.recommendedAnswer,
        },
      },
      async run({ workspace }) {
        const found = await deps.recommended(workspace);
        if (found.blueprintUid === null) return nothing(found.reason);
        const seen = await foundIn(deps, workspace, found.blueprintUid);
        // Whoever made it may have taken it back
        if (!seen) return nothing('What did best in this workspace is no longer a model that it may see');
        const [blueprint] = await rowsOf([seen]);
        const evidence = {
          ...(found.tournamentId !== null && { tournament_id: found.tournamentId }),
          score: found.score,
          baseline_score: found.baselineScore,
        };
        const { reason, computedAt } = found;
        return { body: { data: { blueprint, reason, evidence, computed_at: iso(computedAt) } } };
      },
    }),
    row({
      method: 'get',
      path: '/v1/models/{blueprint_uid}',
      operation: 'getModel',
      summary: 'One model of the catalogue',
      tag,
      access: readAccess,
      params: schemas.blueprintParams,
      versioned: 'by_content',
      errors: { 400: ['bad_request'], 404: ['not_found'] },
      answers: { 200: { description: 'All there is to say', schema: schemas.blueprintAnswer } },
      run: async ({ workspace, params: { blueprint_uid } }) => ({
        body: { data: await detailOf(await seenIn(deps, workspace, blueprint_uid)) },
      }),
    }),
  ];
};

const nothing = (reason: string) => ({
  body: { data: { blueprint: null, reason, evidence: null, computed_at: null } },
});
