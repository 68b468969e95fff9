import { iso } from '../../domain/time.js';
import type { ByomDoc, ValidationDoc } from '../../projections/byom/documents.js';

const timeOrNull = (ms: number | null): string | null => (ms === null ? null : iso(ms));

export const byomView = (doc: ByomDoc) => ({
  byom_id: doc._id,
  name: doc.name,
  format: doc.format,
  status: doc.status,
  message: doc.message,
  file: doc.file,
  size_bytes: doc.bytes,
  sha256: doc.sha256,
  signature: doc.signature,
  validation_id: doc.validation?.id ?? null,
  uid: doc.uid,
  visibility: doc.visibility,
  tags: doc.tags,
  created_by: doc.created_by,
  created_at: iso(doc.created_at),
  updated_at: iso(doc.updated_at),
  registered_at: timeOrNull(doc.registered_at),
});

export const validationView = (doc: ValidationDoc) => ({
  validation_id: doc._id,
  byom_id: doc.byom_id,
  segment_id: doc.segment_id,
  status: doc.status,
  checks: doc.checks.map(({ tookMs, ...check }) => ({ ...check, took_ms: tookMs })),
  sample_input: doc.sample?.input ?? null,
  sample_output: doc.sample?.output ?? null,
  runtime: doc.runtime,
  created_at: iso(doc.created_at),
  finished_at: timeOrNull(doc.finished_at),
});

/** The file as it was uploaded: its path behind a link, and what it is. */
export type Original = {
  readonly path: string;
  readonly filename: string;
  readonly bytes: number;
  readonly sha256: string;
};
export const originalOf = ({ _id, file, bytes, sha256 }: ByomDoc): Original => ({
  path: `/v1/models/byom/${_id}/artifact`,
  filename: file === '' ? _id : file,
  ...{ bytes, sha256 },
});
