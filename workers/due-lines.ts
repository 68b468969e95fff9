type Due = { readonly _id: string; readonly workspace: string };

/** What is due, in a line for each workspace, each bound in its length. */
export class DueLines {
  readonly #lines = new Map<string, Map<string, Due>>();

  /** `longest`: more of one workspace are not held. */
  constructor(readonly longest: number) {}

  /** Behind the others of its workspace, unless it stands there already. */
  add({ _id, workspace }: Due): void {
    const line = this.#lines.get(workspace) ?? new Map<string, Due>();
    this.#lines.set(workspace, line);
    if (line.size < this.longest || line.has(_id)) line.set(_id, { _id, workspace });
  }

  /**
   * At most `count`: each the first of the workspace that has the least at work, what was taken before it
   * counted in, as long as that is less than `most`; whoever was served goes behind the others.
   */
  take(count: number, atWork: (workspace: string) => number, most = Number.POSITIVE_INFINITY): Due[] {
    const taken: Due[] = [];
    const busy = new Map([...this.#lines.keys()].map(workspace => [workspace, atWork(workspace)]));
    while (taken.length < count) {
      const least = [...this.#lines.keys()].reduce<string | null>(
        (best, workspace) => (best === null || busy.get(workspace)! < busy.get(best)! ? workspace : best),
        null,
      );
      if (least === null || busy.get(least)! >= most) break;
      busy.set(least, busy.get(least)! + 1);
      taken.push(this.#first(least));
    }
    return taken;
  }

  clear(): void {
    this.#lines.clear();
  }

  #first(workspace: string): Due {
    const line = this.#lines.get(workspace)!;
    const first = line.values().next().value!;
    line.delete(first._id);
    this.#lines.delete(workspace);
    if (line.size > 0) this.#lines.set(workspace, line);
    return first;
  }
}
