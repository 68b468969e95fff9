import { hash } from 'node:crypto';
import * as assert from 'uvu/assert';
import type { Description } from '../../api/edge/openapi.js';
import type { Row } from '../../api/edge/row.js';
import { ajvOf, checkOf } from '../../api/edge/validation.js';
import type { Area } from '../../areas/area.js';
import type { Schema } from '../../json-schema.js';
import { startPlatform, temporaryFolder, until, type Running } from '../platform.js';
import { suite } from '../suite.js';

type Parameter = { readonly name: string; readonly in: string; readonly example: unknown };
type Content = { readonly content: Readonly<Record<string, { readonly schema: Schema }>> };
type Values = Readonly<Record<string, unknown>>;

/** A body as tools make it of a schema: examples where there are some, else what is plainest. */
function bodyOf(schema: Schema, name: string): unknown {
  const [example] = (schema.examples ?? []) as unknown[];
  const [member] = (schema.enum ?? []) as unknown[];
  const found = example ?? schema.default ?? schema.const ?? member;
  if (found !== undefined) return found;
  const [first] = (schema.oneOf ?? schema.anyOf ?? []) as Schema[];
  if (first) return bodyOf(first, name);
  const [type] = [schema.type].flat();
  if (type === 'array') return [bodyOf(schema.items as Schema, name)];
  if (type === 'integer' || type === 'number') return schema.minimum ?? 1;
  if (type === 'boolean') return true;
  if (type !== 'object') return name;
  const properties = Object.entries((schema.properties ?? {}) as Record<string, Schema>);
  return Object.fromEntries(properties.map(([key, inner]) => [key, bodyOf(inner, key)]));
}

/** Every schema of a document that has examples, by its place in it. */
function exemplified(value: unknown, place = ''): [string, Schema][] {
  if (typeof value !== 'object' || value === null) return [];
  const { examples } = value as Schema;
  const parts = Object.entries(value).filter(([, part]) => part !== examples || !Array.isArray(part));
  const inner = parts.flatMap(([key, part]) => exemplified(part, `${place}/${key}`));
  return Array.isArray(examples) ? [[place, value as Schema], ...inner] : inner;
}

/** Texts as they are, what is more as JSON; the file is one of text. */
function formOf({ file, ...values }: Values): FormData {
  const form = new FormData();
  for (const [name, value] of Object.entries(values))
    form.set(name, typeof value === 'string' ? value : JSON.stringify(value));
  form.set('file', new File([String(file)], 'example.csv'));
  return form;
}

function requestOf(path: string, method: string, operation: Values, known: Values) {
  const parameters = operation.parameters as readonly Parameter[];
  const given = ({ name, example }: Parameter) => known[name] ?? example;
  const filled = parameters
    .filter(each => each.in === 'path')
    .reduce((url, each) => url.replace(`{${each.name}}`, encodeURIComponent(String(given(each)))), path);
  const query = new URLSearchParams(
    parameters
      .filter(each => each.in === 'query')
      .flatMap(each => [given(each)].flat().map((value): [string, string] => [each.name, String(value)])),
  );
  const { requestBody } = operation as { readonly requestBody?: Content };
  const content = requestBody?.content ?? {};
  const [[type, { schema }] = ['', { schema: null }]] = Object.entries(content);
  const made = schema && bodyOf(schema, 'body');
  const values = made && Object.fromEntries(Object.entries(made).map(([k, v]) => [k, known[k] ?? v]));
  const body = values && type === 'multipart/form-data' ? formOf(values as Values) : values;
  return { method: method.toUpperCase(), url: `${filled}?${query}`, sent: body ? { body } : {} };
}

/** Nobody outside is asked whether there is a receiver at the address of an example. */
const nowhere = { target: 'https://hooks.invalid/presage' };

/** Ids of what no example can make. */
const unknowable = [
  ...['event', 'adapter', 'promotion', 'inference', 'channel'],
  ...['source', 'segment', 'job', 'execution', 'import', 'byom', 'validation'],
  ...['training', 'pipeline', 'cycle', 'goal', 'forecast', 'tournament', 'fleet'],
  ...['alert', 'instance', 'revision'],
];

suite('examples of the description', test => {
  const folder = temporaryFolder();
  let running: Running;
  let description: Description;
  let known: Values;
  test.before(async () => {
    // The addresses that sign-in may lead to are the operator's to name
    const env = { OPS_REDIRECT_URIS: 'https://ops.example.org/signed-in' };
    running = await startPlatform(folder.path, { env });
    description = (await running.call('GET', '/openapi/v1.json')).json as Description;
    const { workspaceId, organizationId } = running.installed;
    known = { workspace_id: workspaceId, organization_id: organizationId };
    // What the examples speak of
    const values = Array.from({ length: 60 }, (_, day) => [1_767_225_600 + day * 86_400, (day * 7) % 11]);
    for (const key of ['shop.orders', 'shop.visitors', 'shop.returns', 'store_sales__north-1'])
      assert.is((await running.call('POST', '/v1/signal/push', { body: { key, values } })).status, 200);
    const news = { key: 'shop-news', text: 'A sale begins', occurred_at: '2026-01-10T00:00:00Z' };
    assert.is((await running.call('POST', '/v1/event/record', { body: news })).status, 200);
    const table = { name: 'Orders', target: 'shop.orders', step_s: 86_400 };
    const segment = await running.call('POST', '/v1/segment', { body: table });
    const { segment_id } = segment.json.data as { readonly segment_id: string };
    const statusOf = async () => (await running.call('GET', `/v1/segment/${segment_id}`)).json.data.status;
    await until(async () => (await statusOf()) === 'ready');
    // Before now nothing is known
    known = {
      ...known,
      segment_id,
      segment: segment_id,
      as_of: new Date().toISOString(),
      sha256: hash('sha256', 'file'),
    };
  });
  test.after(async () => {
    await running.stop();
    folder.remove();
  });

  test('what requests are held to are schemas', () => {
    const areas: readonly Area[] = Object.values(running.platform.areas);
    const rows = areas.flatMap((each): readonly Row[] => each.rows ?? []);
    const ajv = ajvOf(true, true);
    const schemas = rows.flatMap(({ params, query, body }) => [params, query, body]);
    const given = schemas.filter(schema => schema !== undefined);
    assert.ok(given.length > 200);
    for (const schema of given) assert.type(ajv.compile(schema), 'function');
  });

  test('each holds to its own schema', () => {
    const found = exemplified(description.paths);
    assert.ok(found.length > 30);
    for (const [place, schema] of found)
      for (const example of schema.examples as unknown[])
        assert.not.throws(() => checkOf(schema, place)(example), place);
  });

  test('no read is refused for what its examples say', async () => {
    for (const [path, item] of Object.entries(description.paths)) {
      if (!item.get) continue;
      const { method, url } = requestOf(path, 'get', item.get, known);
      const { status, text } = await running.call(method, url);
      // A WebSocket is no read, and no example knows a signature
      const isOther = status === 401 && path.endsWith('/artifact');
      const asked = item.get.responses['101'] ? [426] : [200, 404];
      assert.ok(isOther || asked.includes(status), `${url}: ${status} ${text}`);
      const named = (item.get.parameters as readonly Parameter[]).map(({ name }) => `{${name}}`);
      if (status === 404)
        assert.match(
          `${path} ${named.join('')}`,
          new RegExp(`\\{(token|blueprint_uid|(${unknowable.join('|')})_id)\\}`),
          'only what an example cannot know',
        );
    }
  });

  test('a span that ends before it begins is refused by every read that takes one', async () => {
    const turned = { ...known, from: '2026-03-02T00:00:00Z', to: '2026-03-01T00:00:00Z' };
    const spans = Object.entries(description.paths).filter(([, { get }]) =>
      ((get?.parameters ?? []) as Parameter[]).some(({ name }) => name === 'from'),
    );
    assert.ok(spans.length > 4);
    for (const [path, { get }] of spans) {
      const { method, url } = requestOf(path, 'get', get!, turned);
      const { status, json } = await running.call(method, url);
      assert.equal([status, json.detail?.[0].loc], [422, ['query', 'from']], url);
    }
  });

  test('no write is refused for what its examples say', async () => {
    const writes = Object.entries(description.paths).flatMap(([path, item]) =>
      Object.entries(item).map(([method, operation]) => ({ path, method, operation })),
    );
    // What the others speak of is deleted at the end
    const deletes = ({ path, method }: { path: string; method: string }) =>
      method === 'delete' || path.endsWith('/delete');
    const inOrder = [...writes.filter(each => !deletes(each)), ...writes.filter(deletes)];
    for (const { path, method, operation } of inOrder.filter(each => each.method !== 'get')) {
      // Only what is written anew stands in a group that there is: the others would change what is needed
      const mine = path.includes('{') ? {} : { ...known, ...(path.endsWith('/channels') && nowhere) };
      const { url, sent } = requestOf(path, method, operation, mine);
      const { status, text } = await running.call(method.toUpperCase(), url, sent);
      assert.ok(![400, 422].includes(status) && status < 500, `${method} ${url}: ${status} ${text}`);
    }
  });
});
