import type { FittedOn } from '../../domain/segments/normalisation.js';
import { iso } from '../../domain/time.js';
import type { SegmentDoc } from '../../projections/segments/documents.js';
import { asOfHeaders, asOfView } from '../edge/as-of.js';
import { contextOf } from '../edge/context.js';
import { row, type Row } from '../edge/row.js';
import { versionedTag, versionIn } from '../edge/versions.js';
import { readAccess, tag, writeAccess, type SegmentDeps } from './deps.js';
import { found, foundAfter, foundThen, kept } from './found.js';
import { normalizationBody } from './recipe-schemas.js';
import { normalizationIn } from './recipes.js';
import * as schemas from './schemas.js';

const path = '/v1/segment/{segment_id}/normalization';

const spanView = ({ from, to }: FittedOn) => ({ from: iso(from), to: iso(to) });

/** How what is trained on a segment is to normalise its columns, and the parameters that were fitted. */
export function normalizationRows(deps: SegmentDeps): Row[] {
  const { commands, tables, clock } = deps;
  const view = async ({ segment_id, version, recipe, table }: SegmentDoc, asOf: number | null) => {
    const as_of = asOfView(asOf);
    const nothing = { as_of, ...recipe.normalization, fitted_on: null, params: null, folds: null };
    // What was fitted belongs to the recipe's version
    if (table?.version !== version) return nothing;
    const { fitted_on, params, folds } = await kept(() => tables.normalization(segment_id, table.manifest));
    return {
      ...nothing,
      fitted_on: fitted_on && spanView(fitted_on),
      params,
      folds: folds.map(fold => ({ ...fold, fitted_on: spanView(fold.fitted_on) })),
    };
  };
  /** Under the version of its segment. */
  const shown = async (doc: SegmentDoc, asOf: number | null = null) => {
    const body = { data: await view(doc, asOf) };
    return { body, etag: versionedTag(doc.revision, body) };
  };
  return [
    row({
      method: 'get',
      path,
      operation: 'getSegmentNormalization',
      summary: 'How columns are normalised',
      description: 'Parameters are fitted on what each fold may be trained on, never on the whole table.',
      tag,
      access: readAccess,
      versioned: true,
      params: schemas.oneParams,
      query: schemas.asOfQuery,
      errors: { 404: ['not_found'], 410: ['table_not_kept'] },
      answers: {
        200: { description: 'The method, and what was fitted', schema: schemas.normalizationAnswer },
      },
      async run({ workspace, params, query }) {
        const { doc, asOf } = await foundThen(deps, workspace, params.segment_id, query.as_of);
        return { ...(await shown(doc, asOf)), headers: asOfHeaders(asOf) };
      },
    }),
    row({
      method: 'put',
      path,
      operation: 'setSegmentNormalization',
      versioned: true,
      summary: 'Set how columns are normalised',
      description: 'Makes a version, which is built at once.',
      tag,
      access: writeAccess,
      params: schemas.oneParams,
      body: normalizationBody,
      errors: { 404: ['not_found'], 409: ['version_conflict'], 410: ['table_not_kept'] },
      answers: { 200: { description: 'As it is now', schema: schemas.normalizationAnswer } },
      async run(call) {
        const { workspace, params, body, ifMatch } = call;
        const normalization = normalizationIn(body);
        const seen = versionIn(ifMatch);
        const context = contextOf(call, clock());
        const { segment_id: id } = params;
        const before = await found(deps, workspace, id);
        const outcome = await commands.setNormalization(workspace, id, normalization, seen, context);
        return shown(await foundAfter(deps, workspace, id, before, outcome));
      },
    }),
  ];
}
