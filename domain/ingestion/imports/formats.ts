export const fileFormats = ['csv', 'ndjson', 'xlsx', 'parquet'] as const;
/** How a file is written. */
export type FileFormat = (typeof fileFormats)[number];

const endings: Readonly<Record<string, FileFormat>> = {
  ...{ csv: 'csv', tsv: 'csv', txt: 'csv' },
  ...{ ndjson: 'ndjson', jsonl: 'ndjson', json: 'ndjson' },
  ...{ xlsx: 'xlsx', parquet: 'parquet' },
};

/** The format that a name tells by its end; null: it tells none. */
export const formatOf = (name: string): FileFormat | null =>
  endings[/\.([a-z0-9]+)$/i.exec(name)?.[1]?.toLowerCase() ?? ''] ?? null;
