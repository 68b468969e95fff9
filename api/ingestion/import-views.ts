import type { Mapping, MappingAsked } from '../../domain/ingestion/imports/mapping.js';
import type { Preview } from '../../domain/ingestion/imports/preview.js';
import { iso } from '../../domain/time.js';
import type { ImportDoc } from '../../projections/ingestion/import-documents.js';

const timeOrNull = (ms: number | null): string | null => (ms === null ? null : iso(ms));

/** An import without what was seen in its file. */
export const summaryOf = (doc: ImportDoc) => ({
  import_id: doc._id,
  status: doc.status,
  file: doc.file,
  format: doc.format,
  bytes: doc.bytes,
  sha256: doc.sha256,
  mapping: mappingView(doc.mapping ?? doc.asked),
  read: doc.read,
  accepted: doc.accepted,
  duplicates: doc.duplicates,
  rejected: doc.rejected,
  problems: doc.problems,
  error: doc.error,
  created_at: iso(doc.created_at),
  updated_at: iso(doc.updated_at),
  committed_at: timeOrNull(doc.committed_at),
  finished_at: timeOrNull(doc.finished_at),
});

/** The same with what was seen; null: nothing was, or it is kept no longer. */
export const importView = (doc: ImportDoc, preview: Preview | null) => ({
  ...summaryOf(doc),
  columns: (preview?.columns ?? []).map(({ name, type, timeFormat, otherFormat, missing }) => ({
    ...{ name, type, time_format: timeFormat, other_time_format: otherFormat, missing },
  })),
  rows: preview?.sample ?? [],
  previewed: preview && {
    rows: preview.read,
    whole_file: preview.isWhole,
    points: preview.points,
    events: preview.events,
    rejected: preview.rejected,
  },
});

const mappingView = (mapping: Mapping | MappingAsked) => ({
  time: mapping.time ?? null,
  time_format: mapping.timeFormat ?? null,
  timezone: mapping.timezone ?? null,
  layout: mapping.layout ?? null,
  key: mapping.key ?? null,
  value: mapping.value ?? null,
  entity: mapping.entity ?? null,
  columns: mapping.columns ?? null,
  event_text: mapping.eventText ?? null,
  stream: mapping.stream ?? null,
  on_duplicate: mapping.onDuplicate ?? null,
});
