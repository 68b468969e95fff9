import type { Collection } from 'mongodb';
import { isDuplicate } from './client.js';
import { markOf, type Checkpoint, type Fence } from './mark.js';

type Move = {
  readonly projection: string;
  readonly fence: Fence;
  readonly position: number;
  readonly resolve: (done: Promise<void> | void) => void;
  readonly reject: (error: unknown) => void;
};

/** So long a move waits for others that go with it. */
const TOGETHER_MS = 2;

/**
 * Moves checkpoints of which nothing else is to be written, many in one call: every fact passes by most
 * projections, and each of them says so. A move is one update of one document, whole by itself. Where one of
 * them is refused each is made by itself with `alone`, for a server may not have come to those behind it.
 */
export function movesOn(
  checkpoints: Collection<Checkpoint>,
  alone: (projection: string, fence: Fence, set: { readonly position: number }) => Promise<void>,
) {
  let waiting = new Map<string, Move>();
  let sent: Promise<void> = Promise.resolve();

  const send = async (moves: readonly Move[]): Promise<void> => {
    const updates = moves.map(({ projection, fence, position }) => ({
      updateOne: { ...markOf(projection, fence, { position }), upsert: true },
    }));
    try {
      await checkpoints.bulkWrite(updates, { ordered: false });
      for (const { resolve } of moves) resolve();
    } catch (error) {
      if (isDuplicate(error))
        for (const { projection, fence, position, resolve } of moves)
          resolve(alone(projection, fence, { position }));
      else for (const { reject } of moves) reject(error);
    }
  };
  const flush = (): void => {
    const moves = [...waiting.values()];
    waiting = new Map();
    // One call after the other: what moves a checkpoint last is written last
    sent = sent.then(() => send(moves));
  };

  return (projection: string, fence: Fence, position: number): Promise<void> =>
    new Promise((resolve, reject) => {
      // Of one checkpoint one in a call: the order within it is the server's
      if (waiting.has(projection)) flush();
      if (waiting.size === 0) {
        const mine = waiting;
        setTimeout(() => mine === waiting && flush(), TOGETHER_MS);
      }
      waiting.set(projection, { projection, fence, position, resolve, reject });
    });
}
