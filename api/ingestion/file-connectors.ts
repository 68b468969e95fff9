import { fileFormats, type FileFormat } from '../../domain/ingestion/imports/formats.js';
import { object } from '../../json-schema.js';
import type { Connector } from './connectors.js';
import { mappingBody } from './import-schemas.js';

const names: Readonly<Record<FileFormat, string>> = {
  csv: 'CSV file',
  ndjson: 'File of JSON lines',
  xlsx: 'Excel workbook',
  parquet: 'Parquet file',
};

/** What is uploaded. No sources are made of it: each file is an import of its own. */
export const fileConnectors: readonly Connector[] = fileFormats.map(format => ({
  id: `${format}_file`,
  name: names[format],
  kind: 'file',
  produces: ['events', 'signals'],
  config: object({}, { mapping: mappingBody }),
  secretPlaces: [],
  status: 'available',
}));
