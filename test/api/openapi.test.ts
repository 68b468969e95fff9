import { validate } from '@hyperjump/json-schema/openapi-3-2';
import * as assert from 'uvu/assert';
import { descriptionOf, type Description } from '../../api/edge/openapi.js';
import type { Operation } from '../../api/edge/openapi-operation.js';
import { row } from '../../api/edge/row.js';
import type { Schema } from '../../json-schema.js';
import { scopes } from '../../domain/tokens/scopes.js';
import { suite } from '../suite.js';
import { clientOf } from './client.js';
import { inWorld, worldOf, type World } from './world.js';

type Response = { readonly $ref?: string; readonly description?: string };
type Parameter = {
  readonly $ref?: string;
  readonly name: string;
  readonly in: string;
  readonly required: boolean;
  readonly description?: string;
  readonly example?: unknown;
};

export const operationsOf = ({ paths }: Description): [string, string, Operation][] =>
  Object.entries(paths).flatMap(([path, item]) =>
    Object.entries(item).map(([method, operation]): [string, string, Operation] => [path, method, operation]),
  );

/** The values of all `$ref` in a document. */
function refsIn(value: unknown): string[] {
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([name, inner]) =>
    name === '$ref' && typeof inner === 'string' ? [inner] : refsIn(inner),
  );
}
const at = (document: unknown, pointer: string): unknown =>
  pointer
    .slice(2)
    .split('/')
    .reduce((value, name) => (value as Record<string, unknown> | undefined)?.[name], document);

suite('description', test => {
  let world: World;
  let description: Description;
  test.before(async () => {
    world = await worldOf();
    description = world.api.description;
  });
  test.after(() => world.close());

  test('is valid OpenAPI 3.2 by the official schema', async () => {
    const output = await validate(
      'https://spec.openapis.org/oas/3.2/schema-base',
      JSON.parse(JSON.stringify(description)),
      'BASIC',
    );
    assert.ok(output.valid, JSON.stringify(output, null, 1).slice(0, 2000));
    const faulty = { ...description, tags: [{ description: 'without a name' }] };
    assert.not(
      (await validate('https://spec.openapis.org/oas/3.2/schema-base', JSON.parse(JSON.stringify(faulty))))
        .valid,
    );
  });

  test('declares its versions', () => {
    assert.equal(
      [description.openapi, (description.info as { version: string }).version],
      ['3.2.0', '1.4.83'],
    );
  });

  test('every reference leads somewhere and every shared part is used', () => {
    const refs = refsIn(description);
    for (const ref of refs) assert.ok(at(description, ref), ref);
    for (const [kind, parts] of Object.entries(description.components)) {
      if (kind === 'securitySchemes') continue;
      for (const name of Object.keys(parts as object))
        assert.ok(refs.includes(`#/components/${kind}/${name}`), name);
    }
  });

  test('every operation has an id of its own, a known tag, a summary, a success and a refusal', () => {
    const operations = operationsOf(description);
    const tags = (description.tags as { name: string }[]).map(({ name }) => name);
    assert.is(new Set(operations.map(([, , { operationId }]) => operationId)).size, operations.length);
    for (const [path, method, { operationId, responses, ...operation }] of operations) {
      const [tag] = operation.tags as string[];
      assert.ok(tags.includes(tag!) && typeof operation.summary === 'string', operationId);
      const statuses = Object.keys(responses).map(Number);
      assert.ok(
        statuses.some(status => status < 300) && statuses.some(status => status >= 400 && status < 500),
        `${method} ${path}`,
      );
      assert.ok(
        (Object.values(responses) as Response[]).every(response => response.$ref ?? response.description),
        operationId,
      );
    }
  });

  test('every tag has a parent that is described, too', () => {
    const tags = description.tags as { name: string; parent?: string; kind: string; description: string }[];
    for (const { parent, kind } of tags) {
      assert.is(kind, 'nav');
      if (parent)
        assert.ok(
          tags.some(({ name }) => name === parent),
          parent,
        );
    }
  });

  test('scopes stand on the operations, and security where it is needed', () => {
    for (const [, , { operationId, security, 'x-required-scope': wanted = [] }] of operationsOf(
      description,
    )) {
      assert.ok(
        (wanted as string[]).every(scope => (scopes as readonly string[]).includes(scope)),
        operationId,
      );
      const open = ['getHealth', 'getVersion', 'deliver'].includes(operationId);
      assert.equal(security, open ? [] : [{ bearer: [] }], operationId);
    }
    assert.equal(description.paths['/v1/toys/promote']!.post!['x-required-scope'], [
      'trainings.run',
      'deployments.write',
    ]);
  });

  test('every parameter has an example, and each of a path is declared', () => {
    for (const [path, , { operationId, parameters }] of operationsOf(description)) {
      const all = (parameters as Parameter[]).map(given =>
        given.$ref ? (at(description, given.$ref) as Parameter) : given,
      );
      for (const { name, example } of all) assert.ok(example !== undefined, `${operationId}: ${name}`);
      const inPath = all.filter(parameter => parameter.in === 'path');
      assert.equal(
        inPath.map(({ name }) => `{${name}}`),
        path.match(/\{\w+\}/g) ?? [],
        operationId,
      );
      assert.ok(inPath.every(({ required }) => required));
    }
  });

  test('a query parameter with a default is optional', () => {
    const parameters = description.paths['/v1/toys/by-page']!.get!.parameters as Parameter[];
    const required = parameters
      .filter(parameter => parameter.in === 'query')
      .map(parameter => parameter.required);
    assert.equal(required, Array(6).fill(false));
  });

  test('a number that is cut down to the most that is taken has no maximum, and says so', () => {
    const parameters = operationsOf(description).flatMap(([, , operation]) => operation.parameters);
    const cut = (parameters as (Parameter & { schema?: Schema })[]).filter(
      ({ schema }) => schema?.['x-clamp'] !== undefined,
    );
    assert.ok(cut.length > 3);
    for (const { schema, description: told } of cut) {
      assert.is(schema!['maximum'], undefined);
      assert.match(told!, `more than ${schema!['x-clamp']} is taken as ${schema!['x-clamp']}`);
    }
  });

  const answers = { 200: { description: 'x', schema: {} } };
  const plain = {
    method: 'get',
    path: '/v1/x',
    operation: 'x',
    summary: 'x',
    tag: 'Events',
    access: { kind: 'public' },
    answers,
    run: () => ({ body: 1 }),
  } as const;
  test('doubles and unknown tags are refused at start', () => {
    assert.throws(
      () => descriptionOf([row(plain), row({ ...plain, path: '/v1/y' })]),
      /x is described twice/,
    );
    assert.throws(
      () => descriptionOf([row(plain), row({ ...plain, operation: 'y' })]),
      /get \/v1\/x is described twice/,
    );
    assert.throws(() => descriptionOf([row({ ...plain, tag: 'Nonsense' })]), /Nonsense/);
  });
});

suite('the client of the tests', test => {
  test('holds answers to the description', async () => {
    await inWorld({}, async world => {
      const fails = async (promise: Promise<unknown>, why: RegExp) => {
        assert.match(
          String(
            await promise.then(
              () => 'passed',
              (error: unknown) => error,
            ),
          ),
          why,
        );
      };
      const get = world.api.description.paths['/v1/toys/{toy_id}']!.get as {
        responses: Record<string, unknown>;
      };
      await fails(world.api.get('/v1/nothing'), /in no description/);
      const { 404: missing, ...responses } = get.responses;
      get.responses = responses;
      await fails(world.api.get('/v1/toys/none'), /getToy does not describe this status/);
      get.responses = { ...responses, 404: missing };
      await world.api.get('/v1/toys/none');
      const answers = world.api.description.paths['/v1/toys/{toy_id}/parts']!.get!.responses;
      const media = (answers[200]!.content as Record<string, { schema: object }>)['application/json']!;
      media.schema = { type: 'object', properties: { id: { type: 'integer' } } };
      // A description is looked at once: another one is another object
      const parts = async () => {
        const { base, description } = world.api;
        const login = { token: world.token, workspace: 'wsp_toys' };
        const other = clientOf(base, structuredClone(description), login);
        await other.get('/v1/toys/1/parts').finally(other.close);
      };
      await fails(parts(), /must be integer/);
      media.schema = { type: 'object', properties: { other: {} } };
      await fails(parts(), /not described: id/);
    });
  });
});
