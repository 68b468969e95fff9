import { readlinkSync } from 'node:fs';
import { once } from 'node:events';
import { createConnection, type Socket } from 'node:net';
import { codes, Failure } from './exit.js';
import type { Output } from './jobs/job.js';
import { linesOf } from './lines.js';
import { DONE, MAX_ADDRESS_BYTES, socketPath, type Request } from './operator.js';

/** The running platform that holds a data folder; null when none does. */
export async function connectOperator(dataDir: string): Promise<Socket | null> {
  const address = addressOf(socketPath(dataDir));
  // No socket can be at a path that is too long for one; what connecting to it says differs between versions
  // of Node
  if (Buffer.byteLength(address) > MAX_ADDRESS_BYTES) return null;
  const socket = createConnection(address);
  try {
    await once(socket, 'connect');
    return socket;
  } catch (error) {
    const { code = '' } = error as NodeJS.ErrnoException;
    if (['ENOENT', 'ECONNREFUSED', 'ENOTSOCK', 'ENOTDIR'].includes(code)) return null;
    if (code === 'EACCES')
      throw new Failure(`${dataDir} belongs to another user; run this command as that user`, codes.fault);
    throw error;
  }
}

/** Too long a path is a link to the socket itself. */
function addressOf(path: string): string {
  try {
    return readlinkSync(path);
  } catch {
    return path;
  }
}

/** Lets the running platform do a job; who stops reading, or aborts, cancels it. */
export async function* askOperator(
  socket: Socket,
  request: Request,
  signal: AbortSignal,
): AsyncGenerator<Output> {
  const leave = (): void => {
    socket.destroy();
  };
  signal.addEventListener('abort', leave, { once: true });
  try {
    socket.write(`${JSON.stringify(request)}\n`);
    for await (const line of linesOf(socket)) {
      const output = JSON.parse(line) as Output | typeof DONE;
      if (output.kind === DONE.kind) return;
      yield output;
    }
    if (!signal.aborted) throw new Failure('the platform stopped before this was done');
  } catch (error) {
    if (!signal.aborted) throw error;
  } finally {
    signal.removeEventListener('abort', leave);
    socket.destroy();
  }
}
