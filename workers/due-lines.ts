import type { InShort } from '../projections/ingestion/poll-queries.js';

/** What is due, in a line for each workspace, each bound in its length. */
export class DueLines {
  readonly #lines = new Map<string, Map<string, InShort>>();

  /** `longest`: more of one workspace are not held. */
  constructor(readonly longest: number) {}

  /** Behind the others of its workspace, unless it stands there already. */
  add(due: InShort): void {
    const { _id, workspace } = due;
    const line = this.#lines.get(workspace) ?? new Map<string, InShort>();
    this.#lines.set(workspace, line);
    if (line.size < this.longest || line.has(_id)) line.set(_id, due);
  }

  /**
   * Adds what is free (told by its id), of the sources that are to be asked: each source is looked up once,
   * whatever is due of it.
   */
  async fill(
    pages: AsyncIterable<readonly InShort[]>,
    isFree: (id: string) => boolean,
    isAsked: (workspace: string, sourceId: string) => Promise<boolean>,
  ): Promise<void> {
    const known = new Map<string, Promise<boolean>>();
    const look = ({ workspace, source_id: id }: InShort): Promise<boolean> => {
      const asked = known.get(id) ?? isAsked(workspace, id);
      known.set(id, asked);
      return asked;
    };
    for await (const page of pages) {
      const free = page.filter(({ _id }) => isFree(_id));
      const asked = await Promise.all(free.map(look));
      for (const [i, due] of free.entries()) if (asked[i]) this.add(due);
    }
  }

  /**
   * Takes the first of the workspace that has the least at work, as long as that is less than `most`; of
   * several, the one that was not served for the longest. Null: there is none.
   */
  next(atWork: (workspace: string) => number = () => 0, most = Number.POSITIVE_INFINITY): InShort | null {
    let [best, least]: [string | null, number] = [null, most];
    for (const workspace of this.#lines.keys()) {
      const busy = atWork(workspace);
      if (busy < least) [best, least] = [workspace, busy];
    }
    return best === null ? null : this.#first(best);
  }

  #first(workspace: string): InShort {
    const line = this.#lines.get(workspace)!;
    const first = line.values().next().value!;
    line.delete(first._id);
    this.#lines.delete(workspace);
    if (line.size > 0) this.#lines.set(workspace, line);
    return first;
  }
}
