/** A file that should be there is gone. */
export class FileMissing extends Error {
  constructor(readonly file: string) {
    super(`the file ${file} is missing`);
  }
}

/**
 * Files under names, where every process on the same stores finds them; what lies under a name never changes.
 * Names are of letters, digits, `.`, `_` and `-`.
 */
export type FileStore = {
  /** Moves a file of this machine there; one of this name that was there already stays. */
  put(name: string, path: string): Promise<void>;
  /** Lends a file to `work`, at a path of this machine. @throws FileMissing */
  use<T>(name: string, work: (path: string) => Promise<T>): Promise<T>;
  /** Takes a file away; none of this name is no fault. */
  remove(name: string): Promise<void>;
  /** Names of files that lie there for longer than so many ms. */
  older(ms: number): Promise<string[]>;
  /** Takes away what was left, more than so many ms ago, by whoever was killed while moving a file there. */
  clean(ms: number): Promise<void>;
};
