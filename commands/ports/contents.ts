/**
 * Bytes under their SHA-256 (hexadecimal), in shelves: what lies on one knows nothing of the others. What was
 * put is durable. Every adapter passes `test/contract/contents.ts`.
 */
export type Contents = {
  /** Answers the name; `isNew`: it was not there yet, and was written. */
  put(shelf: string, bytes: Uint8Array): Promise<{ readonly sha256: string; readonly isNew: boolean }>;
  /** @throws ContentLost where there is none, or what is there is not what was put, or it cannot be read */
  get(shelf: string, sha256: string): Promise<Buffer>;
  /** The names of all that lies there, in any order. */
  list(shelf: string): Promise<readonly string[]>;
  /** Names that are not there are passed over. */
  remove(shelf: string, sha256: readonly string[]): Promise<void>;
};

/** What was put is gone, or damaged. */
export class ContentLost extends Error {
  constructor(
    readonly shelf: string,
    readonly sha256: string,
    why = 'is missing or is not what was put there',
  ) {
    super(`${shelf}/${sha256} ${why}`);
  }
}

/** It cannot be read as things are: its disk, or the rights to it, are in the way. It may be there yet. */
export class ContentUnreadable extends ContentLost {
  constructor(shelf: string, sha256: string) {
    super(shelf, sha256, 'cannot be read just now');
  }
}

/** Whether a content is lost for good, as far as can be told. */
export const isGone = (error: unknown): boolean =>
  error instanceof ContentLost && !(error instanceof ContentUnreadable);
