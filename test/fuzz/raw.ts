import { connect } from 'node:net';
import { PATIENCE_MS } from '../patience.js';

export type RawAnswer = { readonly status: number; readonly headers: string; readonly body: string };

/**
 * Sends bytes as they are and waits until the server ends the connection; `ended`: its own side ends with the
 * last byte, after which Node gives no answer that it does not have already. Rejects when it takes too long.
 * Resolves with all answers that came; a connection cut by the server before all was sent is an end like any
 * other.
 */
export function exchange(port: number, bytes: Buffer, side: 'open' | 'ended'): Promise<RawAnswer[]> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    const socket = connect({ port, host: '127.0.0.1', allowHalfOpen: true });
    const fail = (why: string) => reject(new Error(`${why}: ${shown(bytes)}`));
    const timer = setTimeout(() => {
      socket.destroy();
      fail(`no end within ${PATIENCE_MS} ms`);
    }, PATIENCE_MS);
    socket.on('data', chunk => {
      chunks.push(chunk);
      // A stream does not end by itself; the description, which only names one, does
      if (/^content-type: text\/event-stream/im.test(String(chunk))) socket.destroy();
    });
    socket.on('error', () => undefined);
    socket.on('end', () => socket.destroy());
    socket.on('close', () => {
      clearTimeout(timer);
      const isHead = bytes.toString('latin1', 0, 5) === 'HEAD ';
      try {
        resolve(answersIn(Buffer.concat(chunks), isHead));
      } catch (error) {
        fail(String(error));
      }
    });
    if (side === 'open') socket.write(bytes);
    else socket.end(bytes);
  });
}

export const shown = (bytes: Buffer): string => JSON.stringify(bytes.subarray(0, 600).toString('latin1'));

/** Cuts a stream of bytes into HTTP answers; throws where it is none. */
function answersIn(bytes: Buffer, withoutBodies: boolean): RawAnswer[] {
  const answers: RawAnswer[] = [];
  for (let rest = bytes; rest.length > 0; ) {
    const end = rest.indexOf('\r\n\r\n');
    if (end === -1) throw new Error(`not an answer: ${shown(rest)}`);
    const headers = rest.subarray(0, end).toString('latin1');
    const status = Number(/^HTTP\/1\.1 (\d{3}) /.exec(headers)?.[1]);
    if (!status) throw new Error(`not an answer: ${shown(rest)}`);
    rest = rest.subarray(end + 4);
    const announced = Number(/\r\ncontent-length: (\d+)/i.exec(headers)?.[1] ?? 0);
    const chunked = /\r\ntransfer-encoding: chunked/i.test(headers);
    const length =
      withoutBodies && (rest.length === 0 || rest.subarray(0, 5).toString() === 'HTTP/') ? 0 : announced;
    const body = chunked ? rest : rest.subarray(0, length);
    if (!chunked && body.length < length) throw new Error('half an answer');
    rest = rest.subarray(body.length);
    if (status >= 200) answers.push({ status, headers, body: body.toString() });
  }
  return answers;
}
