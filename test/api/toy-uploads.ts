import { readFile } from 'node:fs/promises';
import { row, type Row } from '../../api/edge/row.js';
import { object } from '../../json-schema.js';
import { ok, tag, text, writes } from './toy-parts.js';

export const TOY_LIMIT = 3_000_000;

/** A row that takes a file, and shows what of it there is. */
export const toyUploads: Row = row({
  method: 'post',
  path: '/v1/toys/files',
  operation: 'uploadToy',
  summary: 'Upload a toy',
  tag,
  access: writes,
  policy: 'upload',
  upload: { limit: TOY_LIMIT },
  body: object(
    { label: text },
    { size: { type: 'integer' }, parts: object({}, { left: text }), on: { type: 'boolean' } },
  ),
  answers: ok(),
  async run({ body, file }) {
    const { path, ...known } = file!;
    const content = await readFile(path);
    return { body: { data: { ...known, path, body, text: content.subarray(0, 40).toString() } } };
  },
});
