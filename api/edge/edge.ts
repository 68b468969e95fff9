import type { IncomingHttpHeaders, ServerResponse } from 'node:http';
import type { Context } from 'koa';
import { Cancelled } from '../../domain/maths/compute.js';
import { Rejected } from '../../domain/rejected.js';
import type { Admit } from './auth.js';
import { ClientGone } from './body.js';
import type { Endpoint } from './prepare.js';
import { errorAnswer, faultAnswer, overloaded, refusalOf } from './errors.js';
import type { onceOnly } from './idempotency.js';
import type { Limiter } from './limiter.js';
import type { Log } from '../../commands/ports/log.js';
import type { Values } from './query.js';
import { Reply } from './reply.js';
import { requestIdOf } from './request-id.js';
import { notFound, type Found, type Routes } from './routes.js';
import type { Access, Answer, Call, Caller } from './row.js';

export type EdgeOptions = {
  readonly routes: Routes<Endpoint>;
  readonly admit: Admit;
  readonly limiter: Limiter;
  readonly once: ReturnType<typeof onceOnly>;
  /** More requests than this at once are refused with 503. */
  readonly maxInFlight: number;
  /** Why rows of the policy `push` must wait just now; null: they need not. */
  readonly overloaded: () => { readonly retryAfterS: number } | null;
  /** Called with each token that was let in, and where it came from: must be quick. */
  readonly used: (tokenId: string, from: { readonly ip: string }) => void;
  readonly log: Log;
};

/**
 * Every request, whatever its row: the conventions all areas share, in one order (`docs/conventions.md`). One
 * middleware, since each further one costs a promise and a closure per request.
 */
export function edge(options: EdgeOptions): (ctx: Context) => Promise<void> {
  const { routes, admit, limiter, once, log } = options;
  let inFlight = 0;

  const answerTo = async (ctx: Context, reply: Reply): Promise<void> => {
    const { path, query } = targetOf(ctx.req.url!);
    const found = routes(ctx.req.method!, path);
    if (found.kind !== 'row') return elsewhere(ctx, reply, found);
    const { row: endpoint } = found;
    const { access, policy = 'default' } = endpoint.row;
    limiter.announce(reply, policy);
    if (access.kind !== 'public' && inFlight > options.maxInFlight) throw overloaded(1);
    const admitted = admit(access, ctx.req.headers);
    const caller = admitted instanceof Promise ? await admitted : admitted;
    if (caller.tokenId !== '') options.used(caller.tokenId, ctx);
    const call = await callOf(ctx, reply, endpoint, caller, found.params(), query);
    const answer = await answerOf(call, endpoint, reply, path, query);
    reply.send(answer, isNotModified(ctx.req.method!, ctx.req.headers, endpoint, answer));
  };

  /** A path nothing is at, or not with this method: said only to those who may call at all. */
  const elsewhere = async (
    ctx: Context,
    reply: Reply,
    found: Exclude<Found<Endpoint>, { kind: 'row' }>,
  ): Promise<void> => {
    limiter.announce(reply, 'default');
    const caller = await admit(
      found.kind === 'none' ? { kind: 'account' } : gentlest(found.rows),
      ctx.req.headers,
    );
    if (caller.tokenId !== '') limiter.charge(reply, 'default', caller, () => ctx.ip);
    if (found.kind === 'none') throw notFound;
    if (ctx.method === 'OPTIONS') return reply.sendOptions(found.allow);
    throw new Rejected('not_allowed', 'method_not_allowed', `This path takes ${found.allow}`, {
      allow: found.allow,
    });
  };

  const callOf = async (
    ctx: Context,
    reply: Reply,
    endpoint: Endpoint,
    caller: Caller,
    given: Record<string, string>,
    queryText: string,
  ): Promise<OneCall> => {
    const { policy, access, weight } = endpoint.row;
    const address = () => ctx.ip;
    if (policy === 'push') mindLoad();
    const counts = policy !== undefined || access.kind !== 'public';
    if (counts) limiter.charge(reply, policy ?? 'default', caller, address, given.source_id);
    const params = endpoint.params(given);
    const raw = endpoint.takesBody ? await endpoint.readRaw(ctx.req) : null;
    const body = raw && endpoint.body(ctx.req, raw, reply.ignored);
    const query = endpoint.readQuery(queryText, reply.ignored);
    if (policy === 'push') limiter.chargePoints(caller, weight ? weight(body as never) : 1, address);
    return new OneCall(caller, params, query, body, raw, reply.requestId, ctx.req.headers, ctx.res);
  };

  const mindLoad = (): void => {
    const load = options.overloaded();
    if (load) throw overloaded(load.retryAfterS);
  };

  const answerOf = (
    call: OneCall,
    { row }: Endpoint,
    reply: Reply,
    path: string,
    query: string,
  ): Answer | Promise<Answer> => {
    const key = call.headers['idempotency-key'];
    if (key === undefined || row.method !== 'post' || row.access.kind === 'public')
      return row.run(call as never);
    const asked = {
      uid: call.caller.uid,
      workspace: call.workspace,
      method: row.method,
      path,
      query,
      raw: call.raw,
    };
    return once(
      String(key),
      asked,
      row,
      () => row.run(call as never),
      () => {
        reply.replayed = true;
      },
    );
  };

  const failed = (error: unknown, ctx: Context, reply: Reply): void => {
    const refused = refusalOf(error);
    const { requestId } = reply;
    if (refused) {
      if (refused !== error) log.warn({ requestId, err: error }, 'the store did not take a request');
      const said = countsAsGuess(refused) ? limiter.unauthorized(reply, refused, () => ctx.ip) : refused;
      return reply.sendError(errorAnswer(said, requestId));
    }
    if (isGone(error)) return;
    log.error({ requestId, method: ctx.method, path: ctx.req.url, err: error }, 'a request failed');
    reply.sendError(faultAnswer(requestId));
  };

  return async ctx => {
    ctx.respond = false;
    const reply = new Reply(ctx.req, ctx.res, requestIdOf(ctx.req.headers['x-request-id']));
    try {
      inFlight++;
      try {
        await answerTo(ctx, reply);
      } finally {
        inFlight--;
      }
      if (reply.streaming) await reply.streaming;
    } catch (error) {
      failed(error, ctx, reply);
    }
  };
}

/** What `run` gets. A class, so that the signal costs nothing to those who do not look at it. */
class OneCall implements Call {
  readonly workspace: string;
  #signal: AbortSignal | undefined;

  constructor(
    readonly caller: Caller,
    readonly params: Record<string, string>,
    readonly query: Values,
    readonly body: unknown,
    readonly raw: Buffer | null,
    readonly requestId: string,
    readonly headers: IncomingHttpHeaders,
    readonly res: ServerResponse,
  ) {
    this.workspace = caller.workspace ?? '';
  }

  get ifMatch(): string | null {
    const given = this.headers['if-match'];
    if (given === undefined || given === '*') return null;
    return /^"([^"]*)"$/.exec(given)?.[1] ?? given;
  }

  get signal(): AbortSignal {
    if (this.#signal) return this.#signal;
    const controller = new AbortController();
    this.res.once('close', () => {
      if (!this.res.writableFinished) controller.abort();
    });
    return (this.#signal = controller.signal);
  }
}

/**
 * Wrong codes of a second factor are counted against the user: one service asks for many users from one
 * address.
 */
const countsAsGuess = ({ kind, code }: Rejected): boolean =>
  kind === 'unauthorized' && code !== 'invalid_2fa_code';

/** Also for the absolute form of a target, which proxies send. */
function targetOf(url: string): { path: string; query: string } {
  const target = url.startsWith('/') ? url : url.replace(/^https?:\/\/[^/?]*/i, '');
  const mark = target.indexOf('?');
  return mark === -1
    ? { path: target, query: '' }
    : { path: target.slice(0, mark), query: target.slice(mark + 1) };
}

/** The least any row of a path asks for: enough to learn its methods. */
function gentlest(rows: readonly Endpoint[]): Access {
  const kinds = rows.map(({ row }) => row.access.kind);
  if (kinds.includes('public')) return { kind: 'public' };
  return kinds.includes('account') || kinds.includes('internal')
    ? { kind: 'account' }
    : { kind: 'workspace', scope: [] };
}

function isNotModified(
  method: string,
  headers: IncomingHttpHeaders,
  { row }: Endpoint,
  { etag, status = 200 }: Answer,
): boolean {
  if (!row.versioned || etag === undefined || status !== 200 || (method !== 'GET' && method !== 'HEAD'))
    return false;
  const known = headers['if-none-match'];
  return known !== undefined && (known === '*' || known.includes(`"${etag}"`));
}

const isGone = (error: unknown): boolean =>
  error instanceof ClientGone
  || error instanceof Cancelled
  || (error instanceof Error && 'code' in error && LEFT.includes(String(error.code)));
/** The client left while an answer was streamed, or before it began. */
const LEFT = ['ERR_STREAM_PREMATURE_CLOSE', 'ERR_STREAM_UNABLE_TO_PIPE'];
