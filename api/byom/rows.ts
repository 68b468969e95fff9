import { object } from '../../json-schema.js';
import { byomNotFound } from '../../domain/byom/decider.js';
import { perPage, perPageQuery } from '../edge/paging.js';
import { row, type Row } from '../edge/row.js';
import { tagOf } from '../edge/versions.js';
import { changeRows } from './change-rows.js';
import { downloadRows } from './download-rows.js';
import { all, one, reads, shown, tag, type ByomDeps } from './deps.js';
import * as schemas from './schemas.js';
import { uploadRow } from './upload-row.js';
import { byomView, validationView } from './views.js';

/** Models that users bring: open-parts 8. */
export const byomRows = (deps: ByomDeps): Row[] => [
  uploadRow(deps),
  ...readRows(deps),
  ...changeRows(deps),
  ...downloadRows(deps),
];

const readRows = (deps: ByomDeps): Row[] => [
  row({
    method: 'get',
    path: all,
    operation: 'listByom',
    summary: 'Models of your own, the newest first',
    tag,
    access: reads,
    query: object(perPageQuery()),
    answers: { 200: { description: 'A page of them', schema: schemas.listAnswer } },
    async run({ workspace, query }) {
      const paging = { limit: query.per_page, offset: (query.page - 1) * query.per_page };
      const { items, total } = await deps.queries.list(workspace, paging);
      return { body: { data: { models: items.map(byomView), ...perPage(query, total) } } };
    },
  }),
  row({
    method: 'get',
    path: one,
    operation: 'getByom',
    summary: 'A model of your own',
    tag,
    access: reads,
    params: schemas.params,
    versioned: true,
    answers: { 200: { description: 'The model', schema: schemas.recordAnswer } },
    errors: { 404: ['not_found'] },
    async run({ workspace, params: { byom_id: id } }) {
      const doc = await shown(deps, workspace, id);
      const data = byomView(doc);
      return { body: { data }, ...tagOf(doc.version, data) };
    },
  }),
  row({
    method: 'get',
    path: `${one}/validations/{validation_id}`,
    operation: 'getByomValidation',
    summary: 'What was found of a model',
    tag,
    access: reads,
    params: schemas.validationParams,
    versioned: 'by_content',
    answers: { 200: { description: 'The report', schema: schemas.validationAnswer } },
    errors: { 404: ['not_found'] },
    async run({ workspace, params: { byom_id: id, validation_id: validationId } }) {
      await shown(deps, workspace, id);
      const found = await deps.queries.validation(id, validationId);
      if (!found) throw byomNotFound();
      return { body: { data: validationView(found) } };
    },
  }),
];
