import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { requestIdOf } from './request-id.js';

const LINGER_MS = 1_000;

/** What is not HTTP, or has headers too large or too slow: the same envelope, without a row. */
export function refuseNoise(error: NodeJS.ErrnoException, socket: Socket): void {
  if (error.code === 'ECONNRESET' || socket.destroyed) {
    socket.destroy();
    return;
  }
  // More of what was refused already
  if (socket.writableEnded) return;
  refuseOn(socket, ...(noise[error.code ?? ''] ?? ([400, 'Bad Request', 'bad_request'] as const)));
}

/** Answers what no row answers, on the bare connection, and ends it. */
export function refuseOn(
  socket: Duplex,
  status: number,
  reason: string,
  code: string,
  message: string = reason,
  more: Readonly<Record<string, string>> = {},
): void {
  const body = noiseBody(message, code);
  const all = Object.entries({ ...noiseHeaders(body), ...more });
  const head = [`HTTP/1.1 ${status} ${reason}`, ...all.map(([name, value]) => `${name}: ${value}`)];
  socket.end(`${head.join('\r\n')}\r\n\r\n${body}`);
  // To cut the connection at once could take the answer with it
  setTimeout(() => socket.destroy(), LINGER_MS).unref();
}

export const noiseHeaders = (body: string) => ({
  Connection: 'close',
  'Content-Type': 'application/json; charset=utf-8',
  'Content-Length': body.length,
});
export const noiseBody = (message: string, code: string): string =>
  JSON.stringify({
    error: { code, message, details: { request_id: requestIdOf(undefined) } },
    status: message,
  });

const noise: Readonly<Record<string, readonly [number, string, string]>> = {
  HPE_HEADER_OVERFLOW: [431, 'Request Header Fields Too Large', 'headers_too_large'],
  ERR_HTTP_REQUEST_TIMEOUT: [408, 'Request Timeout', 'request_timeout'],
};
