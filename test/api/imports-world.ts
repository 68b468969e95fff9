import * as assert from 'uvu/assert';
import { send } from '../platform.js';

const FILES = '/v1/ingestion/files';
type Login = Parameters<typeof send>[3];
export type FileSent = { readonly name?: string; readonly mapping?: object; readonly format?: string };

/** A file and what is said of it, as a form. */
export function fileForm(
  content: string | Uint8Array,
  { name = 'data.csv', mapping, format }: FileSent = {},
): FormData {
  const form = new FormData();
  if (format) form.set('format', format);
  if (mapping) form.set('mapping', JSON.stringify(mapping));
  form.set('file', new File([content], name));
  return form;
}

/** Uploads a form; answers the id of its import. */
export async function uploadedForm(base: string, login: Login, body: FormData): Promise<string> {
  const { json, text, status } = await send(base, 'POST', FILES, login, { body });
  assert.is(status, 202, text);
  return json.data.import_id;
}

/** Uploads a small file; answers the id of its import. */
export const uploadedBy = (base: string, login: Login): Promise<string> =>
  uploadedForm(base, login, fileForm('time,x\n2026-03-01,1\n'));
