import type { Answered, Client } from '../api/client.js';
import type { Json } from '../json.js';
import { until } from '../platform.js';
import { expected } from './world.js';

// What the stories about imported files share: uploads, previews, commits.

const BOUNDARY = 'a-boundary-that-is-in-no-file';
type Uploading = { readonly name?: string; readonly format?: string; readonly mapping?: unknown };

/** A form with a file and text fields, as a browser sends it. */
export function form(
  fields: Readonly<Record<string, string>>,
  name: string,
  content: string | Buffer,
): Buffer {
  const part = (head: string, body: string | Buffer) =>
    Buffer.concat([Buffer.from(`--${BOUNDARY}\r\n${head}\r\n\r\n`), Buffer.from(body), Buffer.from('\r\n')]);
  const file = `Content-Disposition: form-data; name="file"; filename="${name}"`;
  return Buffer.concat([
    ...Object.entries(fields).map(([key, value]) =>
      part(`Content-Disposition: form-data; name="${key}"`, value),
    ),
    part(`${file}\r\nContent-Type: application/octet-stream`, content),
    Buffer.from(`--${BOUNDARY}--\r\n`),
  ]);
}

export const upload = (
  api: Client,
  content: string | Buffer,
  { name = 'data.csv', format = 'csv', mapping }: Uploading = {},
): Promise<Answered<Json>> => {
  const text = typeof mapping === 'string' ? mapping : JSON.stringify(mapping);
  const body = form({ format, ...(mapping !== undefined && { mapping: text }) }, name, content);
  const headers = { 'content-type': `multipart/form-data; boundary=${BOUNDARY}` };
  return api.send<Json>({ method: 'POST', path: '/v1/ingestion/files', body, headers });
};

export const importOf = async (api: Client, id: string): Promise<Json> =>
  expected(await api.get<Json>(`/v1/ingestion/files/${id}`)).data;
const inStatus = (api: Client, id: string, statuses: readonly string[]): Promise<Json> =>
  until(
    async () => {
      const found = await importOf(api, id);
      return statuses.includes(found.status) && found;
    },
    `${id} being ${statuses.join(' or ')}`,
  );

/** Uploads a file and waits until its preview is ready; answers the import. */
export async function parsed(api: Client, content: string | Buffer, more: Uploading = {}): Promise<Json> {
  const { data } = expected(await upload(api, content, more), 202);
  return inStatus(api, data.import_id, ['parsed', 'failed']);
}
export const preview = (api: Client, id: string, body: object = {}): Promise<Answered<Json>> =>
  api.post<Json>(`/v1/ingestion/files/${id}/preview`, body);
export const commit = (api: Client, id: string, body: object = {}): Promise<Answered<Json>> =>
  api.post<Json>(`/v1/ingestion/files/${id}/commit`, body);
export const finished = (api: Client, id: string): Promise<Json> =>
  inStatus(api, id, ['committed', 'partial', 'failed']);

/** A whole import; answers how it ended. */
export async function imported(
  api: Client,
  content: string | Buffer,
  mapping: object,
  more: Uploading = {},
): Promise<Json> {
  const { import_id } = await parsed(api, content, { ...more, mapping });
  expected(await commit(api, import_id), 202);
  return finished(api, import_id);
}
