type Line = (() => void)[];

/**
 * Turns for work that takes long. It is done in parts of a few milliseconds, and each part waits for a turn:
 * one is given every few rounds of the event loop, to the workspaces after each other. So whoever has little
 * to do waits for one part of somebody's long work, and who has long work for one part of each other
 * workspace, however much of it there is.
 */
export class FairTurns {
  readonly #lines = new Map<string, Line>();

  /** `soon`: does something a few rounds of the event loop later. */
  constructor(readonly soon: (next: () => void) => void = afterRounds) {}

  /** Resolves when it is the turn of what has waited longest in this workspace. */
  turn(workspace: string): Promise<void> {
    return new Promise(resolve => {
      if (this.#lines.size === 0) this.soon(this.#next);
      const line = this.#lines.get(workspace);
      if (line) line.push(resolve);
      else this.#lines.set(workspace, [resolve]);
    });
  }

  readonly #next = (): void => {
    const [workspace, line] = this.#lines.entries().next().value!;
    this.#lines.delete(workspace);
    const begin = line.shift()!;
    // Who was served goes behind the others
    if (line.length > 0) this.#lines.set(workspace, line);
    if (this.#lines.size > 0) this.soon(this.#next);
    begin();
  };
}

/**
 * A recording needs about five rounds from its coming to its answer, and Node takes one new connection in
 * each: with so many between two turns, both wait for one part of long work.
 */
export const ROUNDS = 8;

function afterRounds(next: () => void): void {
  let left = ROUNDS;
  const round = (): void => {
    if (--left === 0) next();
    else setImmediate(round);
  };
  setImmediate(round);
}

/** There is one event loop, so all of a process takes turns here. */
const turns = new FairTurns();
export const fairTurn = (workspace: string): Promise<void> => turns.turn(workspace);

/** Waits for a turn whenever so much was done since the last one; told of what was done as it is done. */
export function paced(workspace: string, aTurn: number): (done: number) => Promise<void> {
  let since = 0;
  return async done => {
    since += done;
    if (since < aTurn) return;
    since = 0;
    await fairTurn(workspace);
  };
}
