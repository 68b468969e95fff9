import { once } from 'node:events';
import { chmodSync, mkdtempSync, rmSync, symlinkSync } from 'node:fs';
import { createServer, type Server, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import type { Log } from '../commands/ports/log.js';
import { codes, failureOf } from './exit.js';
import type { Job, JobContext, Output } from './jobs/job.js';
import { linesOf } from './lines.js';

export type Request = { readonly version: string; readonly job: string; readonly options: unknown };
/** Written last, so that a stream cut off is not taken for a whole one. */
export const DONE = { kind: 'done' } as const;

/** Addresses of Unix sockets end at 107 bytes on Linux and 103 on macOS. */
export const MAX_ADDRESS_BYTES = 100;
export const socketPath = (dataDir: string): string => join(dataDir, 'operator.sock');

type Operating = {
  readonly dataDir: string;
  readonly version: string;
  readonly jobs: Readonly<Record<string, () => Promise<Job>>>;
  readonly context: Omit<JobContext, 'signal'>;
  readonly log: Log;
};
export type Operator = { readonly close: () => Promise<void> };

/**
 * Takes an operator's commands on a Unix socket in the data folder that only its owner can open. Whoever
 * calls this holds the folder, so a socket that is there already was left by a process that is gone. `close`
 * cancels what runs and waits for its end.
 */
export async function serveOperator(operating: Operating): Promise<Operator> {
  const path = socketPath(operating.dataDir);
  const running = new Set<Promise<void>>();
  const sockets = new Set<Socket>();
  rmSync(path, { force: true });
  const address = addressFor(path);
  const server = createServer(socket => {
    sockets.add(socket);
    const work = converse(socket, operating).finally(() => {
      running.delete(work);
      sockets.delete(socket);
    });
    running.add(work);
  });
  await listenPrivately(server, address);
  if (address !== path) symlinkSync(address, path);
  return {
    async close() {
      const closed = once(server, 'close');
      server.close();
      for (const socket of sockets) socket.destroy();
      await Promise.all(running);
      await closed;
      rmSync(path, { force: true });
      if (address !== path) rmSync(dirname(address), { recursive: true, force: true });
    },
  };
}

/**
 * The path itself, or, where that is too long for a socket, one in a new folder that nobody else can enter.
 */
const addressFor = (path: string): string =>
  Buffer.byteLength(path) <= MAX_ADDRESS_BYTES
    ? path
    : join(mkdtempSync(join(tmpdir(), 'presage-')), 'operator.sock');

async function listenPrivately(server: Server, address: string): Promise<void> {
  // A socket is made with the mask of the process: made first and closed to others later, there would be a
  // time between
  const mask = process.umask(0o177);
  try {
    server.listen(address);
  } finally {
    process.umask(mask);
  }
  await once(server, 'listening');
  chmodSync(address, 0o600);
}

async function converse(socket: Socket, operating: Operating): Promise<void> {
  const gone = new AbortController();
  socket.on('close', () => gone.abort());
  socket.on('error', () => gone.abort());
  const write = async (line: Output | typeof DONE): Promise<void> => {
    if (!socket.write(`${JSON.stringify(line)}\n`)) await once(socket, 'drain', { signal: gone.signal });
  };
  try {
    const request = await requestOf(socket);
    if (!request) return;
    operating.log.info({ command: request.job }, "an operator's command");
    for await (const output of outputsOf(request, operating, gone.signal)) {
      await write(output);
      if (gone.signal.aborted) return;
    }
    await write(DONE);
    socket.end();
  } catch (error) {
    if (gone.signal.aborted) return;
    const { message, code } = failureOf(error);
    socket.end(`${JSON.stringify({ kind: 'error', message, code })}\n${JSON.stringify(DONE)}\n`);
  }
}

async function* outputsOf(
  request: Request,
  { version, jobs, context }: Operating,
  signal: AbortSignal,
): AsyncGenerator<Output> {
  const job = Object.hasOwn(jobs, request.job) ? jobs[request.job] : undefined;
  const { version: asked } = request;
  if (asked !== version)
    yield refusal(`the running platform is ${version}, this command ${asked}: use its own`);
  else if (!job) yield refusal(`the running platform knows no ${request.job}`);
  else yield* (await job())({ ...context, signal }, request.options as never);
}

const refusal = (message: string): Output => ({ kind: 'error', message, code: codes.usage });

/** The first line; null when the caller left before it was whole. */
async function requestOf(socket: Socket): Promise<Request | null> {
  const lines = linesOf(socket, { keepOpen: true });
  const first = await lines.next();
  await lines.return(undefined);
  // Goes on reading, and so notices when the caller leaves
  socket.resume();
  return first.done ? null : (JSON.parse(first.value) as Request);
}
