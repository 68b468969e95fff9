import type { IncomingMessage } from 'node:http';
import { Rejected } from '../../domain/rejected.js';
import type { ObjectSchema, Schema } from '../../json-schema.js';
import { mindAccept } from './accept.js';
import { BODY_LIMIT } from './body.js';
import type { Fault } from './errors.js';
import { declaredIn, unknownNames, type Declared } from './fields.js';
import { formBody } from './form.js';
import { parseJson, wantsJson } from './json.js';
import { mindDryRun, queryReader, type ReadQuery } from './query.js';
import { isOpen, type Row } from './row.js';
import { checkOf, type Check } from './validation.js';

type RequiredMember = { readonly name: string; readonly code: string; readonly message: string };

/** A row made ready at start: what it takes is known. */
export class Endpoint {
  readonly takesBody: boolean;
  /** Bytes. */
  readonly bodyLimit: number;
  readonly readQuery: ReadQuery;
  /** Media types of its answers; null: it minds no `Accept`. */
  readonly #media: readonly string[] | null;
  readonly #checkParams: Check | null;
  readonly #checkBody: Check | null;
  readonly #declared: Declared;

  constructor(
    readonly row: Row,
    bodyLimit = BODY_LIMIT,
  ) {
    this.takesBody = !row.upload && (row.body !== undefined || row.rawBody !== undefined);
    const read = queryReader(row.query, row.method !== 'get');
    this.readQuery = row.query400 ? refusing(read) : read;
    this.bodyLimit = row.bodyLimit ?? bodyLimit;
    this.#media = isOpen(row.access) ? null : mediaOf(row);
    this.#checkParams = row.params ? checkOf(row.params, 'path') : null;
    this.#checkBody = row.body ? bodyCheckOf(row.body) : null;
    this.#declared = row.body ? declaredIn(row.body) : null;
  }

  /** @throws Rejected 406 where a caller takes nothing of what it answers */
  mindAccept(accept: string | undefined): void {
    if (this.#media) mindAccept(accept, this.#media);
  }

  /** @throws Rejected 422 */
  params(values: Record<string, string>): Record<string, string> {
    this.#checkParams?.(values);
    return values;
  }

  /** The checked body; names it does not know go into `ignored`. @throws Rejected 415, 400, 422 */
  body(req: IncomingMessage, raw: Buffer, ignored: Set<string>): unknown {
    if (!this.#checkBody) return undefined;
    wantsJson(req);
    return this.#checked(parseJson(raw), raw.length, ignored);
  }

  /** The same of the texts of a form. @throws Rejected 422 */
  form(fields: Readonly<Record<string, string>>, ignored: Set<string>): unknown {
    const { properties } = this.row.body ?? { properties: {} };
    const body = formBody(fields, properties);
    const bytes = Object.values(fields).reduce((sum, text) => sum + text.length, 0);
    return this.#checkBody ? this.#checked(body, bytes, ignored) : body;
  }

  #checked(body: unknown, bytes: number, ignored: Set<string>): unknown {
    this.#checkBody!(body, bytes);
    const { known } = this.row;
    unknownNames(known ? declaredIn(known(body as never)) : this.#declared, body, ignored);
    mindDryRun(body);
    return body;
  }
}

const mediaOf = ({ answers }: Row): string[] =>
  Object.values(answers).flatMap(({ media = [], also = {} }) => [media, Object.keys(also)].flat());

/** For the endpoints whose wrong parameters are 400. */
const refusing =
  (read: ReadQuery): ReadQuery =>
  (text, ignored) =>
    invalidParameters(() => read(text, ignored));

/**
 * Does work; what is not valid in it (422) becomes 400 `invalid_parameter`, naming the parameter and what is
 * wrong.
 */
export function invalidParameters<T>(work: () => T): T {
  try {
    return work();
  } catch (error) {
    throw error instanceof Rejected ? invalidParameter(error) : error;
  }
}

export function invalidParameter(error: Rejected): Rejected {
  if (error.kind !== 'unprocessable') return error;
  const { detail = [], ...details } = error.details as { readonly detail?: readonly Fault[] };
  const code = error.code === 'validation_error' ? 'invalid_parameter' : error.code;
  const message =
    detail.length > 0 ? `Invalid parameters: ${detail.map(faultText).join('; ')}` : error.message;
  return new Rejected('invalid', code, message, details);
}

function faultText({ loc, msg, input }: Fault): string {
  const text = `${loc.slice(1).join('.')} ${msg}`;
  return input === undefined ? text : `${text} (${JSON.stringify(input)})`;
}

/**
 * The check of a body, or of one item of a batch: first what `x-required` demands, then the whole schema.
 * `bytes`: how large it came, which bounds the work spent on listing its faults.
 */
export function bodyCheckOf(schema: ObjectSchema): Check {
  const check = checkOf(schema, 'body');
  const required = requiredIn(schema);
  return (body, bytes) => {
    if (required.length > 0 && isObject(body)) refuseMissing(required, body);
    check(body, bytes);
  };
}

function refuseMissing(required: readonly RequiredMember[], body: Record<string, unknown>): void {
  for (const { name, code, message } of required) {
    const value = body[name];
    if (value === undefined || value === null || (typeof value === 'string' && value.trim() === '')) {
      throw new Rejected('invalid', code, message);
    }
  }
}

function requiredIn({ properties }: ObjectSchema): RequiredMember[] {
  return Object.entries(properties).flatMap(([name, property]: [string, Schema]) => {
    const required = property['x-required'] as Omit<RequiredMember, 'name'> | undefined;
    return required ? [{ name, code: required.code, message: required.message }] : [];
  });
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
