import type { Context } from 'koa';
import type { Log } from '../../commands/ports/log.js';
import { fairTurn } from '../../fair-turns.js';
import { mindRole, type Admit } from './auth.js';
import { readBody } from './body.js';
import { OneCall } from './call.js';
import { elsewhere } from './elsewhere.js';
import { overloaded } from './errors.js';
import { failures } from './failures.js';
import type { OnceOnly } from './idempotency.js';
import type { Limiter } from './limiter.js';
import { isNotModified } from './not-modified.js';
import type { Observer } from './observer.js';
import type { Endpoint } from './prepare.js';
import { Reply } from './reply.js';
import { requestIdOf } from './request-id.js';
import type { Routes } from './routes.js';
import { isOpen, type Answer, type Caller, type UploadedFile } from './row.js';
import { targetOf } from './target.js';
import type { Received, Uploads } from './uploads.js';
import { mindIfMatch, tagged } from './versions.js';
import type { WaitingBodies } from './waiting-bodies.js';

/** Reading and checking a body of more bytes is long work. */
const LONG_BODY = 32_768;

export type EdgeOptions = {
  readonly routes: Routes<Endpoint>;
  readonly admit: Admit;
  readonly limiter: Limiter;
  readonly once: OnceOnly;
  /** More requests than this at once are refused with 503; one counts once its body is there. */
  readonly maxInFlight: number;
  readonly bodies: WaitingBodies;
  readonly uploads: Uploads;
  /** Called with each token that was let in, and where it came from: must be quick. */
  readonly used: (tokenId: string, from: { readonly ip: string }) => void;
  readonly observer: Observer | null;
  readonly log: Log;
};

/**
 * Every request, whatever its row: the conventions all areas share, in one order (`docs/conventions.md`). One
 * middleware, since each further one costs a promise and a closure per request.
 */
export function edge(options: EdgeOptions): (ctx: Context) => Promise<void> {
  const { routes, admit, limiter, bodies, uploads, once, observer, log } = options;
  const answerElsewhere = elsewhere(admit, limiter);
  const answerFailure = failures(limiter, log);
  let inFlight = 0;

  const mindRoom = (): void => {
    if (inFlight > options.maxInFlight) throw overloaded(1);
  };

  const answerTo = async (ctx: Context, reply: Reply): Promise<void> => {
    const { path, query } = targetOf(ctx.req.url!);
    const found = routes(ctx.req.method!, path);
    if (found.kind !== 'row') return answerElsewhere(ctx, reply, found);
    const { row: endpoint } = found;
    const { access, leastRole, policy = 'default', path: route } = endpoint.row;
    reply.route = route;
    limiter.announce(reply, policy);
    if (access.kind !== 'public') mindRoom();
    const admitted = admit(access, ctx.req.headers);
    const caller = admitted instanceof Promise ? await admitted : admitted;
    mindRole(leastRole, caller);
    if (caller.tokenId !== '') options.used(caller.tokenId, ctx);
    const params = found.params();
    if (endpoint.row.upload) return answerUpload(ctx, reply, endpoint, caller, params, path, query);
    const call = await callOf(ctx, reply, endpoint, caller, params, query);
    const answer = tagged(endpoint.row, await answerOf(call, endpoint, reply, path, query));
    reply.send(answer, isNotModified(ctx.req.method!, ctx.req.headers, endpoint, answer));
  };

  /** As any other, but with a file, which goes again when the request was answered. */
  const answerUpload = async (
    ctx: Context,
    reply: Reply,
    endpoint: Endpoint,
    caller: Caller,
    pathParams: Record<string, string>,
    path: string,
    query: string,
  ): Promise<void> => {
    charge(ctx, reply, endpoint, caller, pathParams);
    endpoint.mindAccept(ctx.req.headers.accept);
    const params = endpoint.params(pathParams);
    const values = endpoint.readQuery(query, reply.ignored);
    const { fields, file, remove } = await received(ctx, endpoint, caller);
    const { requestId, ignored } = reply;
    const answered = async (): Promise<Answer> => {
      const body = endpoint.form(fields, ignored);
      const call = new OneCall(caller, params, values, body, null, file, requestId, ctx.req.headers, ctx.res);
      return answerOf(call, endpoint, reply, path, query);
    };
    reply.send(await answered().finally(remove), false);
  };

  const received = async (ctx: Context, { row }: Endpoint, caller: Caller): Promise<Received> => {
    // What is still being sent takes nobody's place
    inFlight--;
    try {
      return await uploads.receive(ctx, row.upload!.limit, { bodies, uid: caller.uid, address: ctx.ip });
    } finally {
      inFlight++;
    }
  };

  const charge = (
    ctx: Context,
    reply: Reply,
    { row }: Endpoint,
    caller: Caller,
    pathParams: Record<string, string>,
  ): void => {
    const { policy = 'default', access, calls } = row;
    if (row.policy === undefined && access.kind === 'public') return;
    const address = () => ctx.ip;
    limiter.charge(reply, policy, caller, address, pathParams.source_id, calls);
    if (access.kind === 'signed') reply.source = pathParams.source_id ?? null;
    reply.measured = bytes => limiter.chargeAnswer(reply, policy, caller, address, bytes);
  };

  const callOf = async (
    ctx: Context,
    reply: Reply,
    endpoint: Endpoint,
    caller: Caller,
    pathParams: Record<string, string>,
    queryText: string,
  ): Promise<OneCall> => {
    const { policy = 'default', access, weight } = endpoint.row;
    const address = () => ctx.ip;
    charge(ctx, reply, endpoint, caller, pathParams);
    endpoint.mindAccept(ctx.req.headers.accept);
    mindIfMatch(endpoint.row, ctx.req.headers);
    const params = endpoint.params(pathParams);
    let raw: Buffer | null = null;
    if (endpoint.takesBody) {
      const sent = readBody(ctx.req, endpoint.bodyLimit, bodies, caller.uid, ctx.ip);
      // What is still being sent takes nobody's place
      inFlight--;
      try {
        raw = sent instanceof Promise ? await sent : sent;
      } finally {
        inFlight++;
      }
      if (access.kind !== 'public') mindRoom();
    }
    if (policy === 'push' && raw) limiter.chargeBytes(reply, caller, raw.length, address);
    if (raw && raw.length > LONG_BODY) await fairTurn(reply.source ?? caller.workspace ?? caller.uid);
    const body = raw && endpoint.body(ctx.req, raw, reply.ignored);
    const query = endpoint.readQuery(queryText, reply.ignored);
    if (policy === 'push') {
      const points = weight ? weight(body as never) : 1;
      limiter.chargePoints(reply, caller, points, raw?.length ?? 0, address);
    }
    return new OneCall(caller, params, query, body, raw, null, reply.requestId, ctx.req.headers, ctx.res);
  };

  const answerOf = (
    call: OneCall,
    { row }: Endpoint,
    reply: Reply,
    path: string,
    query: string,
  ): Answer | Promise<Answer> => {
    const key = call.headers['idempotency-key'];
    if (key === undefined || row.method !== 'post' || isOpen(row.access)) return row.run(call as never);
    const { caller, workspace, requestId } = call;
    const raw = call.file ? uploadText(call.file, call.body) : call.raw;
    const request = { key: String(key), uid: caller.uid, workspace, path, query, raw, requestId, row };
    const run = () => row.run(call as never);
    return once(request, run, () => {
      reply.replayed = true;
    });
  };

  const answered = async (ctx: Context, reply: Reply): Promise<void> => {
    try {
      inFlight++;
      try {
        await answerTo(ctx, reply);
      } finally {
        inFlight--;
      }
      if (reply.streaming) await reply.streaming;
    } catch (error) {
      answerFailure(error, ctx, reply);
    }
  };

  return ctx => {
    ctx.respond = false;
    const { req, res } = ctx;
    const reply = new Reply(
      req,
      res,
      requestIdOf(req.headers['x-request-id'], observer?.requestId(req.headers)),
    );
    return observer ? observer.request(reply, () => answered(ctx, reply)) : answered(ctx, reply);
  };
}

/** What tells one upload from another one. */
const uploadText = ({ name, sha256 }: UploadedFile, body: unknown): Buffer =>
  Buffer.from(JSON.stringify([name, sha256, body]));
