/** Where a fact is to be found that waits for its turn. */
export type Waiting = { readonly journal: string; readonly revision: number; readonly position: number };

/** What waits, in a line for each workspace; each line bound in its length. */
export class Turns {
  readonly #lines = new Map<string, Waiting[]>();

  /** `longest`: more than these of one workspace are not held. */
  constructor(readonly longest: number) {}

  add(workspace: string, waiting: Waiting): void {
    const line = this.#lines.get(workspace);
    if (!line) this.#lines.set(workspace, [waiting]);
    else if (line.length < this.longest) line.push(waiting);
  }

  /** At most `count`, one of each workspace in turn; whoever was served goes behind the others. */
  take(count: number): Waiting[] {
    const taken: Waiting[] = [];
    while (taken.length < count) {
      const next = this.#lines.entries().next();
      if (next.done) break;
      const [workspace, line] = next.value;
      this.#lines.delete(workspace);
      taken.push(line.shift()!);
      if (line.length > 0) this.#lines.set(workspace, line);
    }
    return taken;
  }

  /** Forgets what stands at a position or before it. */
  passed(position: number): void {
    for (const [workspace, line] of this.#lines) {
      const kept = line.findIndex(waiting => waiting.position > position);
      if (kept < 0) this.#lines.delete(workspace);
      else if (kept > 0) line.splice(0, kept);
    }
  }

  clear(): void {
    this.#lines.clear();
  }
}
