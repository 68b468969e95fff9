import type { Answered, Client } from '../api/client.js';
import type { Json } from '../json.js';
import { until } from '../platform.js';
import { form } from './imports.js';
import { expected } from './world.js';

// What the stories about uploaded models share: uploading, validating, registering.

type Uploading = {
  readonly name?: string;
  readonly format?: string;
  readonly file?: string;
  readonly more?: Readonly<Record<string, string>>;
};
export const path = (id: string, below = '') => `/v1/models/byom/${id}${below}`;

/** A form as a browser sends it: the fields, then the file. */
export function sent(
  api: Client,
  fields: Readonly<Record<string, string>>,
  content: Buffer,
  file = 'model.onnx',
) {
  const body = form(fields, file, content);
  const boundary = body.toString('latin1', 2, body.indexOf('\r\n'));
  const headers = { 'content-type': `multipart/form-data; boundary=${boundary}` };
  return api.send<Json>({ method: 'POST', path: '/v1/models/byom/upload', body, headers });
}
export const upload = (
  api: Client,
  content: Buffer,
  signature: unknown,
  { name = 'Ours', format = 'onnx', file, more = {} }: Uploading = {},
): Promise<Answered<Json>> =>
  sent(api, { name, format, signature: JSON.stringify(signature), ...more }, content, file);

export const byom = async (api: Client, id: string): Promise<Json> =>
  expected(await api.get<Json>(path(id))).data;
const inStatus = (api: Client, id: string, statuses: readonly string[]): Promise<Json> =>
  until(
    async () => {
      const found = await byom(api, id);
      return statuses.includes(found.status) && found;
    },
    `${id} being ${statuses.join(' or ')}`,
  );
/** Uploads a file; answers its id when all of it is there. */
export async function uploaded(
  api: Client,
  content: Buffer,
  signature: unknown,
  more: Uploading = {},
): Promise<string> {
  const { byom_id } = expected(await upload(api, content, signature, more), 202).data;
  await inStatus(api, byom_id, ['uploaded']);
  return byom_id;
}
/** Validates a model; answers the report when it is there. */
export async function validated(api: Client, id: string, body: object = {}): Promise<Json> {
  const { validation_id } = expected(await api.post<Json>(path(id, '/validate'), body), 202).data;
  await inStatus(api, id, ['validated', 'rejected', 'unsupported']);
  return expected(await api.get<Json>(path(id, `/validations/${validation_id}`))).data;
}
/** Uploads, validates and registers a model; answers its ids. */
export async function registered(
  api: Client,
  content: Buffer,
  signature: unknown,
  {
    uploading = {},
    ...body
  }: { uploading?: Uploading; name?: string; visibility?: string; tags?: string[] } = {},
): Promise<{ readonly id: string; readonly uid: string }> {
  const id = await uploaded(api, content, signature, uploading);
  const report = await validated(api, id);
  if (report.status !== 'validated' && report.status !== 'passed')
    throw new Error(`${report.status}: ${JSON.stringify(report.checks)}`);
  const { uid } = expected(await api.post<Json>(path(id, '/register'), body), 201).data;
  return { id, uid };
}

export const CHECKS = [
  'checksum',
  'format_parses',
  'no_forbidden_ops',
  'signature_matches',
  'forward_pass',
  'output_shape',
  'finite_values',
  'repeatable',
  'sensitivity',
  'latency',
  'beats_naive',
];
/** The names of the checks of a report that have a status. */
export const checksThat = (report: Json, status: string): string[] =>
  report.checks.filter((check: Json) => check.status === status).map((check: Json) => check.name);
