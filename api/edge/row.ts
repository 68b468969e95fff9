import type { IncomingHttpHeaders } from 'node:http';
import type { Readable } from 'node:stream';
import type { Role } from '../../domain/groups/roles.js';
import type { Scope } from '../../domain/tokens/scopes.js';
import type { FromSchema, ObjectSchema, Schema } from '../../json-schema.js';

/** Who calls: the token, its owner, and the workspace chosen by the header (null where a row needs none). */
export type Caller = {
  readonly tokenId: string;
  readonly tokenName: string;
  readonly uid: string;
  readonly scopes: readonly Scope[];
  /** The workspaces the token is limited to; null: all its owner is in. */
  readonly workspaceIds: readonly string[] | null;
  /** When the token was made, and when it ends (null: never); epoch ms. */
  readonly issuedAt: number;
  readonly expiresAt: number | null;
  readonly workspace: string | null;
  readonly role: Role | null;
};

/** A file that came with a request: it lies at `path` until the request was answered, or is moved away. */
export type UploadedFile = {
  readonly path: string;
  /** As the caller names it; '' where it has none. */
  readonly name: string;
  readonly bytes: number;
  /** Of its content, hex. */
  readonly sha256: string;
};

/** What a row's `run` gets: everything checked and of the types its schemas say. */
export type Call<P = Record<string, string>, Q = Record<string, unknown>, B = unknown> = {
  readonly caller: Caller;
  /** The workspace of the caller: as `caller.workspace`, for rows whose access says `workspace`; else ''. */
  readonly workspace: string;
  readonly params: P;
  readonly query: Q;
  readonly body: B;
  /** The bytes of the body as they came, for signatures; null for rows that take none. */
  readonly raw: Buffer | null;
  /** Of rows with `upload`; null for all others. */
  readonly file: UploadedFile | null;
  readonly headers: IncomingHttpHeaders;
  readonly requestId: string;
  /** The value of `If-Match` without quotes; null when the caller sent none or `*`. */
  readonly ifMatch: string | null;
  /** Ends when the client goes away. */
  readonly signal: AbortSignal;
};

/** JSON that is text already (a list joined in the store): sent as it is, never parsed. */
export class JsonText {
  constructor(readonly text: string) {}
}
/** A body that is no stream, as it is sent. */
export const textOf = (body: unknown): string =>
  body instanceof JsonText ? body.text : JSON.stringify(body);

export type Answer = {
  readonly status?: number;
  /** A JSON value, `JsonText`, or a stream of JSON text for bodies of any size. */
  readonly body: unknown | JsonText | Readable;
  /** Version of a single item; the edge puts quotes around it. */
  readonly etag?: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** Names of the request that the row itself passed over, beside those that its schemas do not know. */
  readonly ignored?: Iterable<string>;
};

export type Access =
  /** No token at all. */
  | { readonly kind: 'public' }
  /** No token: the row itself looks at a signature, and refuses what is not right. */
  | { readonly kind: 'signed' }
  /**
   * Any valid token, with the scope where one is named; no workspace. `everywhere`: but none that is limited
   * to some workspaces. `workspace`: one may be chosen by the header, and counts as where it must be.
   */
  | {
      readonly kind: 'account';
      readonly scope?: Scope;
      readonly everywhere?: true;
      readonly workspace?: 'optional';
    }
  /** A token of one of our own services. */
  | { readonly kind: 'internal' }
  /**
   * A token with the scope (with all of several), the workspace header, and a member whose role allows it.
   * `from`: the least role, where that is lower than the scope's own.
   */
  | { readonly kind: 'workspace'; readonly scope: Scope | readonly Scope[]; readonly from?: Role };

/** Whether a row is for callers without a token. */
export const isOpen = (access: Access): access is Extract<Access, { kind: 'public' | 'signed' }> =>
  access.kind === 'public' || access.kind === 'signed';

export type Policy = 'default' | 'push' | 'webhook' | 'inference' | 'heavy' | 'upload';
export type Method = 'get' | 'post' | 'put' | 'patch' | 'delete';

/** `schema` null: there is no body. */
export type Described = {
  readonly description: string;
  readonly schema: Schema | null;
  readonly example?: unknown;
  /** JSON when absent. */
  readonly media?: string;
  /** What else is answered, where a caller asks for it: media types and the schemas of what they hold. */
  readonly also?: Readonly<Record<string, Schema>>;
};

/**
 * One endpoint as data. The server, the checks, the types of `run` and the description all follow from it.
 */
export type Row = {
  readonly method: Method;
  /**
   * As in the description: `/v1/event/{event_id}`. A fixed segment wins over a parameter, whatever the order
   * of rows and the method asked for.
   */
  readonly path: string;
  /** operationId of the description, unique. */
  readonly operation: string;
  readonly summary: string;
  readonly description?: string;
  /** One of `api/edge/tags.ts`. */
  readonly tag: string;
  readonly access: Access;
  /** The least role, where the rules ask for more than the scope alone says. */
  readonly leastRole?: Role;
  readonly policy?: Policy;
  /** As how many calls of its policy one counts, for what costs many times a simple call; 1 when absent. */
  readonly calls?: number;
  /** How many points a call counts in its policy's second limit (values of a push); 1 when absent. */
  readonly weight?: (body: never) => number;
  /** Parameters of the path; each is a string when nothing is said. */
  readonly params?: ObjectSchema;
  /**
   * Text is turned into the types said here. One with a `default` may stand among the required: `run` always
   * finds it. A number above its `x-clamp` is taken as that; it has no `maximum`.
   */
  readonly query?: ObjectSchema;
  /** What is wrong in the query answers 400 `invalid_parameter`, not 422. */
  readonly query400?: true;
  /**
   * A required property with `'x-required': { code, message }` answers 400 with just these when it is absent,
   * null or blank, in the order of the properties and before anything else is looked at; all other faults are
   * 422. `writeOnly: true` keeps a value out of the answer about it.
   */
  readonly body?: ObjectSchema;
  /** What is known in a body, where that hangs on what it says; `body` when absent. */
  readonly known?: (body: never) => ObjectSchema;
  /**
   * The body's bytes come in `raw`, unread: for deliveries whose signature is checked first, whatever their
   * `Content-Type`. Instead of `body`; what they should hold, for the description.
   */
  readonly rawBody?: Schema;
  /** Headers that the row itself looks at, for the description; a caller need not send them. */
  readonly headers?: Readonly<Record<string, Schema>>;
  /**
   * The body is `multipart/form-data`: a file of at most so many bytes under the name `file`, and the members
   * of `body` as texts; those that are objects, lists, numbers or booleans as JSON.
   */
  readonly upload?: { readonly limit: number };
  /** Bytes; 2 MB when absent. */
  readonly bodyLimit?: number;
  /**
   * A single item with a version: answers carry `etag`; `If-None-Match` (reads) and `If-Match` (writes) are
   * understood. `by_content`: one that no PUT, PATCH or DELETE changes; the edge makes the ETag of a read
   * from all that is answered.
   */
  readonly versioned?: true | 'by_content';
  /**
   * What of the answer's body is kept for a repeat under the same `Idempotency-Key`: all of it, unless it
   * holds a secret or personal data, which must not lie about. Undefined: nothing is kept, and a repeat is
   * done again.
   */
  readonly kept?: (body: unknown) => unknown;
  /**
   * Status -> what it means and the schema of its JSON; errors that every row has are added by the
   * description.
   */
  readonly answers: Readonly<Record<number, Described>>;
  /** Error codes of this row's own, by status, for the description: `{ 404: ['event_not_found'] }`. */
  readonly errors?: Readonly<Record<number, readonly string[]>>;
  readonly run: (call: Call<never, never, never>) => Answer | Promise<Answer>;
};

type Typed<P, Q, B> = Omit<Row, 'params' | 'query' | 'body' | 'run' | 'weight' | 'known'> & {
  readonly params?: P;
  readonly query?: Q;
  readonly body?: B;
  readonly weight?: (body: FromSchema<B>) => number;
  readonly known?: (body: FromSchema<B>) => ObjectSchema;
  readonly run: (call: Call<FromSchema<P>, FromSchema<Q>, FromSchema<B>>) => Answer | Promise<Answer>;
};

/** A row whose `run` is typed by its own schemas. */
export const row = <const P extends ObjectSchema, const Q extends ObjectSchema, const B extends ObjectSchema>(
  typed: Typed<P, Q, B>,
): Row => typed as unknown as Row;
