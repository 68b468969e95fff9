import * as assert from 'uvu/assert';
import type { Signature } from '../../domain/byom/signature.js';
import { given, signatureOf } from '../byom-files.js';
import type { Json } from '../json.js';
import { send, until } from '../platform.js';

export const BYOM = '/v1/models/byom';
type Login = Parameters<typeof send>[3];
type Said = { readonly format?: string; readonly signature?: Signature; readonly sha256?: string };

export function modelForm(content: Uint8Array, { format = 'onnx', signature, sha256 }: Said = {}): FormData {
  const form = new FormData();
  form.set('name', 'My model');
  form.set('format', format);
  form.set('signature', JSON.stringify(signature ?? signatureOf()));
  if (sha256) form.set('sha256', sha256);
  form.set('file', new File([content], 'model.onnx'));
  return form;
}

/** Uploads a file; answers the id of its model. */
export async function uploadedModel(
  base: string,
  login: Login,
  content: Uint8Array,
  said: Said = {},
): Promise<string> {
  const { json, text, status } = await send(base, 'POST', `${BYOM}/upload`, login, {
    body: modelForm(content, said),
  });
  assert.is(status, 202, text);
  return json.data.byom_id;
}

/** Validates a model; answers the report once it is there. */
export async function validated(base: string, login: Login, id: string, body: object = {}): Promise<Json> {
  const asked = await send(base, 'POST', `${BYOM}/${id}/validate`, login, { body });
  assert.is(asked.status, 202, asked.text);
  return until(async () => {
    const { json } = await send(base, 'GET', asked.json.data.poll_url, login);
    return json.data.status !== 'validating' && json.data;
  }, `the validation of ${id}`);
}

/** Uploads a model made by scikit-learn; answers its id. */
export const broughtBy = (base: string, login: Login): Promise<string> =>
  uploadedModel(base, login, given('ridge.onnx'));
