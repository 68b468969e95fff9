import { Rejected } from '../../domain/rejected.js';
import { object } from '../../json-schema.js';
import { perPage } from '../edge/paging.js';
import { row, type Row } from '../edge/row.js';
import { reads, tag, type IngestionDeps } from './deps.js';
import * as schemas from './source-schemas.js';
import { connectorView } from './source-views.js';

/** The ways to get data in. */
export const connectorRows = ({ connectors }: IngestionDeps): Row[] => [
  row({
    method: 'get',
    path: '/v1/ingestion/connectors',
    operation: 'listConnectors',
    summary: 'The ways to get data in',
    tag,
    access: reads,
    query: schemas.pagedQuery,
    answers: { 200: { description: 'All connectors', schema: schemas.connectorsAnswer } },
    run({ query }) {
      const all = [...connectors.values()];
      const from = (query.page - 1) * query.per_page;
      const shown = all.slice(from, from + query.per_page).map(connectorView);
      return { body: { data: { connectors: shown, ...perPage(query, all.length) } } };
    },
  }),
  row({
    method: 'get',
    path: '/v1/ingestion/connectors/{connector_id}',
    operation: 'getConnector',
    summary: 'One of them, with what it asks for',
    tag,
    access: reads,
    params: object({ connector_id: { ...schemas.text, examples: ['webhook'] } }),
    versioned: 'by_content',
    errors: { 404: ['not_found'] },
    answers: { 200: { description: 'The connector', schema: schemas.connectorAnswer } },
    run({ params: { connector_id: id } }) {
      const connector = connectors.get(id);
      if (!connector) throw new Rejected('missing', 'not_found', 'Connector not found');
      return { body: { data: connectorView(connector) } };
    },
  }),
];
