import type { IncomingMessage } from 'node:http';
import { Transform } from 'node:stream';
import type { KoaBodyMiddlewareOptions } from 'koa-body';
import { ClientGone } from './body.js';
import { BESIDE, FILE, HEAD_LIMIT, malformed, MOST_PARTS, tooLargeFile } from './upload-rules.js';
import type { WaitingBodies } from './waiting-bodies.js';

/** Who sends something; `uid` is '' for nobody known. */
export type Sender = { readonly bodies: WaitingBodies; readonly uid: string; readonly address: string };
type Part = Parameters<NonNullable<NonNullable<KoaBodyMiddlewareOptions['formidable']>['onPart']>>[0];

export type Counted = {
  readonly stream: Transform;
  /** Whether what comes belongs to a part: what stands between them has a limit of its own. */
  inPart: boolean;
  readonly refuse: (error: Error) => void;
  readonly refused: () => Error | null;
  readonly end: () => void;
};

/** The bytes of a request, counted; the request itself is left as it is, so that it can be answered. */
export function counting(req: IncomingMessage, limit: number, { bodies, uid, address }: Sender): Counted {
  let refused: Error | null = null;
  let head = 0;
  const stream = new Transform({
    transform(chunk: Buffer, _encoding, done) {
      head = counted.inPart ? 0 : head + chunk.length;
      if (head > HEAD_LIMIT) counted.refuse(malformed('has a part without an end of its head'));
      else if (bodies.pass(waiting, chunk.length) > limit + BESIDE) counted.refuse(tooLargeFile(limit));
      else done(null, chunk);
    },
  });
  const refuse = (error: Error) => {
    refused ??= error;
    req.unpipe(stream);
    stream.destroy(refused);
  };
  const gone = () => {
    if (!req.complete) refuse(new ClientGone('The client went away'));
  };
  const waiting = bodies.enter(uid, address, refuse);
  const counted: Counted = {
    ...{ stream, inPart: false, refuse },
    refused: () => refused,
    end() {
      bodies.leave(waiting);
      req.off('close', gone).off('error', gone).unpipe(stream);
    },
  };
  req.on('close', gone).on('error', gone);
  req.pipe(Object.assign(stream, { headers: req.headers }));
  return counted;
}

/** One file and some texts are let in. What has a name of a file is one, whatever else its head says. */
export const onPart = (counted: Counted) => {
  let parts = 0;
  let files = 0;
  return (part: Part, handle: (part: Part) => void): void => {
    const isFile = part.originalFilename !== null;
    counted.inPart = true;
    part.on('end', () => {
      counted.inPart = false;
    });
    parts++;
    files += isFile ? 1 : 0;
    // The reader tells files from texts by their media type alone
    part.mimetype = isFile ? 'application/octet-stream' : null;
    if (parts > MOST_PARTS) counted.refuse(malformed(`has more than ${MOST_PARTS} parts`));
    else if (isFile && (part.name !== FILE || files > 1))
      counted.refuse(malformed(`may hold one file only, under the name '${FILE}'`));
    else handle(part);
  };
};
