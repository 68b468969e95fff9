import type { Context } from 'koa';
import type { Log } from '../../commands/ports/log.js';
import { Cancelled } from '../../domain/maths/compute.js';
import type { Rejected } from '../../domain/rejected.js';
import { ClientGone } from './body.js';
import { errorAnswer, faultAnswer, refusalOf } from './errors.js';
import type { Limiter } from './limiter.js';
import type { Reply } from './reply.js';
import { loggedTarget } from './target.js';

/** Answers a request that threw: a refusal as itself, anything else as a fault of ours, with one log line. */
export const failures = (limiter: Limiter, log: Log) => {
  // Wrong codes of a second factor are counted against the user: one service asks for many from one address
  const countedRefusal = (refused: Rejected, { ip }: Context, reply: Reply): Rejected => {
    if (refused.kind !== 'unauthorized' || refused.code === 'invalid_2fa_code') return refused;
    return reply.source === null
      ? limiter.unauthorized(reply, refused, () => ip)
      : limiter.wrongSignature(reply, refused, reply.source, ip);
  };
  return (error: unknown, ctx: Context, reply: Reply): void => {
    const refused = refusalOf(error);
    const { requestId } = reply;
    if (refused) {
      if (refused !== error) log.warn({ requestId, err: error }, 'the store did not take a request');
      const counted = countedRefusal(refused, ctx, reply);
      if (counted.kind === 'limited') reply.limitedBy = String(counted.details['policy']);
      reply.sendError(errorAnswer(counted, requestId));
      return;
    }
    if (isGone(error)) return;
    log.error(
      { requestId, method: ctx.method, path: loggedTarget(ctx.req.url!), err: error },
      'a request failed',
    );
    reply.sendError(faultAnswer(requestId));
  };
};

/** The client left while an answer was streamed, or before it began. */
const LEFT = ['ERR_STREAM_PREMATURE_CLOSE', 'ERR_STREAM_UNABLE_TO_PIPE'];

const isGone = (error: unknown): boolean =>
  error instanceof ClientGone
  || error instanceof Cancelled
  || (error instanceof Error && 'code' in error && LEFT.includes(String(error.code)));
