import { Agent, request, type IncomingHttpHeaders } from 'node:http';
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import formats from 'ajv-formats';
import type { Fault } from '../../api/edge/errors.js';
import { declaredIn, unknownNames } from '../../api/edge/fields.js';
import type { Description } from '../../api/edge/openapi.js';
import type { Operation } from '../../api/edge/openapi-operation.js';
import type { Schema } from '../../json-schema.js';

/** The parts of bodies that tests look at; a test of another shape names its own type. */
export type Body = {
  readonly data: Record<string, unknown>;
  readonly status: string;
  readonly error: {
    readonly code: string;
    readonly message: string;
    readonly details: Record<string, unknown>;
  };
  readonly detail: readonly Fault[];
};
export type Answered<T = Body> = {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly body: T;
  readonly text: string;
};
export type Sent = {
  readonly method: string;
  readonly path: string;
  readonly headers?: Readonly<Record<string, string | undefined>>;
  /** A Buffer or text is sent as it is, anything else as JSON. */
  readonly body?: unknown;
  /** The path or method is in no description: only the envelope and the headers are checked. */
  readonly undescribed?: true;
};
export type Login = { readonly token?: string; readonly workspace?: string };
type Plain = <T = Body>(path: string, headers?: Sent['headers']) => Promise<Answered<T>>;
type Writing = <T = Body>(path: string, body?: unknown, headers?: Sent['headers']) => Promise<Answered<T>>;
export type Client = {
  readonly base: string;
  readonly description: Description;
  readonly get: Plain;
  readonly head: Plain;
  readonly delete: Plain;
  readonly post: Writing;
  readonly put: Writing;
  readonly patch: Writing;
  send<T = Body>(sent: Sent): Promise<Answered<T>>;
  /** The same server, called by somebody else. */
  as(other: Login): Client;
  close(): void;
};

/**
 * An HTTP client that holds every answer to the description: an operation, status or body that is not in it,
 * a member that its schema does not name, or a missing common header throws.
 */
export function clientOf(base: string, description: Description, login: Login): Client {
  const agent = new Agent({ keepAlive: true });
  const hold = contractOf(description);
  const common = {
    ...(login.token !== undefined && { authorization: `Bearer ${login.token}` }),
    ...(login.workspace !== undefined && { 'x-workspace-id': login.workspace }),
  };
  const send = async <T = Body>(sent: Sent): Promise<Answered<T>> => {
    const answer = await exchange(agent, base, { ...sent, headers: { ...common, ...sent.headers } });
    hold(sent, answer);
    return answer as Answered<T>;
  };
  const by =
    (method: string) =>
    <T = Body>(path: string, headers: Sent['headers'] = {}) =>
      send<T>({ method, path, headers });
  const withBody =
    (method: string) =>
    <T = Body>(path: string, body?: unknown, headers: Sent['headers'] = {}) =>
      send<T>({ method, path, body, headers });
  return {
    base,
    description,
    send,
    get: by('GET'),
    head: by('HEAD'),
    delete: by('DELETE'),
    post: withBody('POST'),
    put: withBody('PUT'),
    patch: withBody('PATCH'),
    as: other => clientOf(base, description, other),
    close: () => agent.destroy(),
  };
}

function exchange(
  agent: Agent,
  base: string,
  { method, path, headers = {}, body }: Sent,
): Promise<Answered<unknown>> {
  const raw =
    body === undefined || typeof body === 'string' || Buffer.isBuffer(body) ? body : JSON.stringify(body);
  const { hostname, port } = new URL(base);
  const given = { ...(body !== undefined && { 'content-type': 'application/json' }), ...headers };
  const kept = Object.fromEntries(
    Object.entries(given).filter((entry): entry is [string, string] => entry[1] !== undefined),
  );
  return new Promise((resolve, reject) => {
    const length = raw !== undefined && { 'content-length': Buffer.byteLength(raw) };
    const req = request({ agent, hostname, port, method, path, headers: { ...kept, ...length } });
    req.on('error', reject);
    req.on('response', async res => {
      try {
        // A stream does not end by itself: that it began is all that is looked at
        const isStream = String(res.headers['content-type']).startsWith('text/event-stream');
        const text = isStream ? '' : ((await res.toArray()) as Buffer[]).map(String).join('');
        if (isStream) res.destroy();
        const json = text !== '' && String(res.headers['content-type']).startsWith('application/json');
        resolve({
          status: res.statusCode!,
          headers: res.headers,
          text,
          body: json ? (JSON.parse(text) as unknown) : undefined,
        });
      } catch (error) {
        reject(error);
      }
    });
    req.end(raw);
  });
}

type Contract = (sent: Sent, answer: Answered<unknown>) => void;

/** All who call with one description hold answers to one contract: its schemas are dear to compile. */
const contracts = new WeakMap<Description, Contract>();
function contractOf(description: Description): Contract {
  const contract = contracts.get(description) ?? contractBy(description);
  contracts.set(description, contract);
  return contract;
}

/** Throws where an answer is not as the description says. */
function contractBy(description: Description): Contract {
  // The description is linted elsewhere; each process compiles what it needs, quickly and not for speed
  const quickly = { validateSchema: false, code: { optimize: false } };
  const ajv = new Ajv2020({ strict: false, allErrors: true, ...quickly });
  formats.default(ajv);
  ajv.addFormat('path', true).addSchema(description, 'api');
  const compiled = new Map<string, ValidateFunction>();
  const check = (pointer: string, body: unknown, what: string) => {
    const holds = compiled.get(pointer) ?? ajv.compile({ $ref: `api#${pointer}` });
    compiled.set(pointer, holds);
    if (holds(body)) return;
    throw new Error(
      `${what} is not as described: ${ajv.errorsText(holds.errors)}\n${JSON.stringify(body).slice(0, 2000)}`,
    );
  };
  return ({ method, path, undescribed }, answer) => {
    const what = `${method} ${path} -> ${answer.status}`;
    checkHeaders(answer, what);
    if (undescribed)
      return answer.status === 204 ? undefined : check('/components/schemas/Error', answer.body, what);
    const [template, verb] = operationFor(description, method, path.replace(/^https?:..[^/]*/, ''));
    const operation = description.paths[template]![verb] as Operation;
    const response = operation.responses[answer.status];
    if (!response) throw new Error(`${what}: ${operation.operationId} does not describe this status`);
    const pointer = response.$ref
      ? (response.$ref as string).slice(1)
      : `/paths/${escaped(template)}/${verb}/responses/${answer.status}`;
    if (method === 'HEAD' || answer.status === 304 || answer.status === 204) {
      if (answer.text !== '') throw new Error(`${what} has a body`);
      return;
    }
    if (String(answer.headers['content-type']).startsWith('text/event-stream')) {
      if (!Object.hasOwn(response.content as object, 'text/event-stream'))
        throw new Error(`${what}: a stream`);
      return;
    }
    check(`${pointer}/content/application~1json/schema`, answer.body, what);
    if (answer.status < 400) refuseExtras(response, answer.body, what);
  };
}

function checkHeaders({ status, headers, body }: Answered<unknown>, what: string): void {
  for (const name of ['x-request-id', 'ratelimit', 'ratelimit-policy', 'x-content-type-options']) {
    if (headers[name] === undefined) throw new Error(`${what} lacks the header ${name}`);
  }
  const id = (body as Body | undefined)?.error?.details?.request_id;
  if (status >= 400 && id !== undefined && id !== headers['x-request-id'])
    throw new Error(`${what}: two request ids`);
}

function refuseExtras(response: Operation['responses'][string], body: unknown, what: string): void {
  const content = response.content as Record<string, { schema: Schema }>;
  const extras = new Set<string>();
  unknownNames(declaredIn(content['application/json']!.schema), body, extras);
  if (extras.size > 0)
    throw new Error(`${what} has members that are not described: ${[...extras].join(', ')}`);
}

/** The operation a path belongs to: of those that match, the one with the most fixed segments. */
function operationFor({ paths }: Description, method: string, path: string): [string, string] {
  const verb = method === 'HEAD' ? 'get' : method.toLowerCase();
  const segments = path.split('?')[0]!.split('/');
  const fixed = (template: string) => template.split('/').filter(segment => !segment.startsWith('{')).length;
  const fits = Object.keys(paths)
    .filter(template => paths[template]![verb] && matches(template.split('/'), segments))
    .sort((a, b) => fixed(b) - fixed(a));
  if (fits.length === 0) throw new Error(`${method} ${path} is in no description`);
  return [fits[0]!, verb];
}

const matches = (template: readonly string[], segments: readonly string[]): boolean =>
  template.length === segments.length
  && template.every((part, i) => part === segments[i] || (part.startsWith('{') && segments[i] !== ''));

const escaped = (part: string): string =>
  encodeURIComponent(part.replaceAll('~', '~0').replaceAll('/', '~1'));
