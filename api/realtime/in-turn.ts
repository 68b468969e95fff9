import type { WebSocket } from 'ws';

export type Work = () => Promise<void> | void;

/**
 * Does one piece of work after the other. While one waits for something nothing more is read from the socket,
 * so that what is left over is what had come with one read.
 */
export function inTurn(socket: WebSocket, failed: (error: unknown) => void): (work: Work) => void {
  const waiting: Work[] = [];
  let isBusy = false;

  const run = async (first: Promise<void>): Promise<void> => {
    isBusy = true;
    socket.pause();
    await first.catch(failed);
    for (let next = waiting.shift(); next; next = waiting.shift()) await begin(next)?.catch(failed);
    isBusy = false;
    socket.resume();
  };
  const begin = (work: Work): Promise<void> | null => {
    try {
      return work() ?? null;
    } catch (error) {
      failed(error);
      return null;
    }
  };
  return work => {
    if (isBusy) {
      waiting.push(work);
      return;
    }
    const promised = begin(work);
    if (promised) void run(promised);
  };
}
